//! Paints the image of a picture: a band of pixels for each track that has colours.

use crate::strip::{Pixel, paint};
use ghc_eventlog_model::Fill;
use wasm_bindgen::{Clamped, JsCast, prelude::*};
use web_sys::{ImageBitmap, ImageData, OffscreenCanvas, OffscreenCanvasRenderingContext2d};

/// How many pixels are passed to the browser at once.
const AT_ONCE: usize = 1 << 18;

/// Paints strips of tracks one below the other: see [`Log::paint`](crate::Log::paint).
#[wasm_bindgen]
pub struct Painter {
    canvas: OffscreenCanvas,
    context: OffscreenCanvasRenderingContext2d,
    width: usize,
    levels: usize,
    /// The bands that the browser does not have yet.
    pixels: Vec<Pixel>,
    /// How many rows of pixels the browser has.
    done: usize,
}

#[wasm_bindgen]
impl Painter {
    /// The image, once all bands are painted. The caller owns it.
    ///
    /// # Errors
    /// When the browser has no room for it.
    pub fn image(&mut self) -> Result<ImageBitmap, JsValue> {
        self.hand_over()?;
        self.canvas.transfer_to_image_bitmap()
    }
}

impl Painter {
    /// For `bands` bands, each `width` pixels wide and `levels` high.
    pub(crate) fn of(width: u32, bands: u32, levels: u32) -> Result<Painter, JsValue> {
        let canvas = OffscreenCanvas::new(width, bands.saturating_mul(levels))?;
        let context = canvas.get_context("2d")?.ok_or_else(|| js_sys::Error::new("there is no room for an image"))?;
        let context = context.unchecked_into();
        Ok(Self { canvas, context, width: width as usize, levels: levels as usize, pixels: Vec::new(), done: 0 })
    }

    /// Paints the next band.
    pub(crate) fn band(&mut self, shares: &[u8], fills: &[Fill], colours: &[Pixel]) -> Result<(), JsValue> {
        let (first, size) = (self.pixels.len(), self.width * self.levels);
        self.pixels.resize(first + size, Pixel::default());
        if let Some(band) = self.pixels.get_mut(first..).filter(|_| shares.len() == self.width * fills.len()) {
            paint(shares, fills, colours, self.levels, band);
        }
        if self.pixels.len() + size > AT_ONCE { self.hand_over() } else { Ok(()) }
    }

    fn hand_over(&mut self) -> Result<(), JsValue> {
        if self.pixels.is_empty() {
            return Ok(());
        }
        let bytes = Clamped(self.pixels.as_flattened());
        let image = ImageData::new_with_u8_clamped_array(bytes, self.width as u32)?;
        self.context.put_image_data(&image, 0.0, self.done as f64)?;
        self.done += self.pixels.len() / self.width.max(1);
        self.pixels.clear();
        Ok(())
    }
}
