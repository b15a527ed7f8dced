//! Sizes in bytes on the command line.

/// Reads a number with `KiB`, `MiB` or `GiB`; bytes.
///
/// # Errors
/// Says what is allowed when the text is something else or the size passes 2^64 bytes.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || "allowed: a number with KiB, MiB or GiB".to_owned();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    let unit: u64 = match &text[digits.len()..] {
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return Err(wrong()),
    };
    number.checked_mul(unit).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_binary_units() {
        assert_eq!(bytes("12GiB"), Ok(12 << 30));
        assert_eq!(bytes("1KiB"), Ok(1024));
        for wrong in ["", "GiB", "12", "12GB", "-1MiB", "1.5GiB", "99999999999GiB"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
