//! What the bitboards want from the machine and the language does not say.
//!
//! Each function has a portable form that gives the same answer, more slowly. This is the only
//! module of the rules core with `unsafe` code.

/// `word`, unchanged, in a general register.
///
/// The compiler likes to turn several like chains of word operations into one of vectors. Where the
/// chain is what a ply waits for, the way into a vector register and back costs more than it saves;
/// it cannot look for such chains behind the results of this function.
#[inline(always)]
pub(crate) fn scalar(word: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        let mut word = word;
        // SAFETY: no instruction is executed.
        unsafe {
            std::arch::asm!(
                "/* {0} */",
                inout(reg) word,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        word
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        word
    }
}

/// The bits of `word` at the positions of `mask`, moved together to the low end.
#[inline(always)]
pub(crate) fn extract(word: u64, mask: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: the cfg says that every processor this build may run on has BMI2.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        extract_by_loop(word, mask)
    }
}

/// The low bits of `word`, moved apart to the positions of `mask`.
#[inline(always)]
pub(crate) fn deposit(word: u64, mask: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: the cfg says that every processor this build may run on has BMI2.
        unsafe { std::arch::x86_64::_pdep_u64(word, mask) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        deposit_by_loop(word, mask)
    }
}

/// The `n`-th set bit of `word` (0-based, from the least significant), alone in a word.
///
/// 0 when `word` has `n` set bits or fewer, `n < 64`.
#[inline(always)]
pub(crate) fn nth_bit(word: u64, n: usize) -> u64 {
    deposit(1 << n, word)
}

#[cfg_attr(all(target_arch = "x86_64", target_feature = "bmi2"), cfg(test))]
fn extract_by_loop(word: u64, mask: u64) -> u64 {
    let taken = bits(mask).enumerate().filter(|(_, at)| word >> at & 1 == 1);
    taken.fold(0, |set, (to, _)| set | 1 << to)
}

#[cfg_attr(all(target_arch = "x86_64", target_feature = "bmi2"), cfg(test))]
fn deposit_by_loop(word: u64, mask: u64) -> u64 {
    let put = bits(mask).enumerate().filter(|(from, _)| word >> from & 1 == 1);
    put.fold(0, |set, (_, at)| set | 1 << at)
}

/// The set bits of a word, least significant first, as indices.
pub(crate) fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// The set bits of a word of 128 bits, least significant first, as indices.
pub(crate) fn bits_wide(word: u128) -> impl Iterator<Item = u32> {
    bits(word as u64).chain(bits((word >> 64) as u64).map(|bit| 64 + bit))
}

/// The index of the `n`-th set bit of `word` (0-based, from the least significant), which has more
/// than `n` set bits.
#[inline(always)]
pub(crate) fn nth_index_wide(word: u128, n: usize) -> u32 {
    let (low, high) = (word as u64, (word >> 64) as u64);
    let below = low.count_ones() as usize;
    let is_high = n >= below;
    let (half, n) = if is_high { (high, n - below) } else { (low, n) };
    nth_bit(half, n).trailing_zeros() + 64 * u32::from(is_high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_move_and_select_the_same_bits() {
        let mut word = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..1000 {
            word = word.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
            for sparse in [word, word & (word >> 7), word & (word << 9) & (word >> 20), 0, u64::MAX]
            {
                for n in 0..64 {
                    let expected = bits(sparse).nth(n).map_or(0, |bit| 1 << bit);
                    assert_eq!(nth_bit(sparse, n), expected);
                }
                let mixed = word.rotate_left(29);
                let wide = u128::from(sparse) << 64 | u128::from(mixed & !sparse);
                let listed: Vec<u32> = bits_wide(wide).collect();
                assert_eq!(listed.len(), wide.count_ones() as usize);
                assert!(listed.iter().all(|bit| wide >> bit & 1 == 1));
                for (n, bit) in listed.into_iter().enumerate() {
                    assert_eq!(nth_index_wide(wide, n), bit);
                }
                assert_eq!(extract(mixed, sparse), extract_by_loop(mixed, sparse));
                assert_eq!(deposit(mixed, sparse), deposit_by_loop(mixed, sparse));
                assert_eq!(deposit(extract(mixed, sparse), sparse), mixed & sparse);
            }
        }
    }
}
