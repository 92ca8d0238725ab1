//! Grey pictures as PNG files.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

/// Writes a square picture, `range` from black to white.
///
/// # Errors
///
/// If the file cannot be written.
pub fn write(path: &Path, size: usize, samples: &[f64], range: (f64, f64)) -> io::Result<()> {
    let (low, high) = range;
    let grey = |x: &f64| ((x - low) / (high - low) * 255.0).round().clamp(0.0, 255.0) as u8;
    let bytes: Vec<u8> = samples.iter().map(grey).collect();
    let side = u32::try_from(size).map_err(io::Error::other)?;
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), side, side);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    writer.write_image_data(&bytes).map_err(io::Error::other)?;
    writer.finish().map_err(io::Error::other)
}
