//! Moving the bits of a word together and apart under a mask.
//!
//! One `pext` or `pdep` where the build targets BMI2, a loop elsewhere; both give the same bits.

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
use super::board::{Word, bits};

macro_rules! gather {
    ($($word:ty: $extract:ident = $pext:ident, $deposit:ident = $pdep:ident;)*) => {$(
        #[inline(always)]
        pub(super) fn $extract(word: $word, mask: $word) -> $word {
            #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
            {
                // SAFETY: the cfg says that every processor this build may run on has BMI2.
                unsafe { std::arch::x86_64::$pext(word, mask) }
            }
            #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
            {
                extract_by_loop(word, mask)
            }
        }

        #[inline(always)]
        pub(super) fn $deposit(word: $word, mask: $word) -> $word {
            #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
            {
                // SAFETY: the cfg says that every processor this build may run on has BMI2.
                unsafe { std::arch::x86_64::$pdep(word, mask) }
            }
            #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
            {
                deposit_by_loop(word, mask)
            }
        }
    )*};
}
gather! {
    u32: extract_u32 = _pext_u32, deposit_u32 = _pdep_u32;
    u64: extract_u64 = _pext_u64, deposit_u64 = _pdep_u64;
}

#[inline(always)]
pub(super) fn extract_u128(word: u128, mask: u128) -> u128 {
    let low = extract_u64(word as u64, mask as u64);
    let high = extract_u64((word >> 64) as u64, (mask >> 64) as u64);
    u128::from(low) | u128::from(high) << (mask as u64).count_ones()
}

#[inline(always)]
pub(super) fn deposit_u128(word: u128, mask: u128) -> u128 {
    let low = deposit_u64(word as u64, mask as u64);
    let rest = (word >> (mask as u64).count_ones()) as u64;
    u128::from(low) | u128::from(deposit_u64(rest, (mask >> 64) as u64)) << 64
}

#[cfg_attr(all(target_arch = "x86_64", target_feature = "bmi2"), cfg(test))]
fn extract_by_loop<W: Word>(word: W, mask: W) -> W {
    let taken = bits(mask).enumerate().filter(|(_, at)| !(word & W::bit(*at)).is_empty());
    taken.fold(W::ZERO, |set, (to, _)| set | W::bit(to as u32))
}

#[cfg_attr(all(target_arch = "x86_64", target_feature = "bmi2"), cfg(test))]
fn deposit_by_loop<W: Word>(word: W, mask: W) -> W {
    let put = bits(mask).enumerate().filter(|(from, _)| !(word & W::bit(*from as u32)).is_empty());
    put.fold(W::ZERO, |set, (_, at)| set | W::bit(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_move_the_same_bits() {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            random = random.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
            random ^ random >> 31
        };
        for _ in 0..2000 {
            let wide = |low: u64, high: u64| u128::from(high) << 64 | u128::from(low);
            let (word, mask) = (wide(next(), next()), wide(next() & next(), next() | next()));
            let (word64, mask64) = (word as u64, mask as u64);
            let (word32, mask32) = (word as u32, mask as u32);
            assert_eq!(extract_u128(word, mask), extract_by_loop(word, mask));
            assert_eq!(extract_u64(word64, mask64), extract_by_loop(word64, mask64));
            assert_eq!(extract_u32(word32, mask32), extract_by_loop(word32, mask32));
            assert_eq!(deposit_u128(word, mask), deposit_by_loop(word, mask));
            assert_eq!(deposit_u64(word64, mask64), deposit_by_loop(word64, mask64));
            assert_eq!(deposit_u32(word32, mask32), deposit_by_loop(word32, mask32));
        }
    }
}
