/** How a provider turns pixels into tokens. */
export type ImageFormula =
  /** OpenAI: `base`, and `tile` for each 512 pixel square of the image within 2048 × 2048 and 768 on its short side. */
  | { readonly kind: 'tiles'; readonly base: number; readonly tile: number }
  /** OpenAI: 32 pixel patches, shrunk to `patchesMax`, times `multiplier`. */
  | { readonly kind: 'patches'; readonly patchesMax: number; readonly edgeMax: number; readonly multiplier: number }
  /** Anthropic: width × height / 750, after shrinking to `edgeMax`, at most `tokensMax`. */
  | { readonly kind: 'area'; readonly edgeMax: number; readonly tokensMax: number }
  /** Gemini to 2.5: 258, and 258 for each tile when a side is over 384 pixels. */
  | { readonly kind: 'crops' }
  /** Gemini 3: a budget that does not depend on the size. */
  | { readonly kind: 'fixed'; readonly tokens: number }

/** Named after the first model that used it. */
export type ImageFormulaName =
  | 'gpt4o'
  | 'gpt5'
  | 'o1'
  | 'gpt41Mini'
  | 'gpt41Nano'
  | 'o4Mini'
  | 'gpt54'
  | 'claude'
  | 'claudeOpus47'
  | 'gemini'
  | 'gemini3'

/**
 * The published formulas, by the models they are of. Sources (read 2026-11): OpenAI "Images and vision", section
 * calculating costs; Anthropic "Vision", section image costs; Google "Image understanding" and "Media resolution".
 * OpenAI bills `gpt-4o-mini` images at a multiple, but that multiple takes no room in its context, so it has no row.
 */
export const IMAGE_FORMULAS: Readonly<Record<ImageFormulaName, ImageFormula>> = {
  gpt4o: { kind: 'tiles', base: 85, tile: 170 },
  gpt5: { kind: 'tiles', base: 70, tile: 140 },
  o1: { kind: 'tiles', base: 75, tile: 150 },
  gpt41Mini: { kind: 'patches', patchesMax: 1_536, edgeMax: Infinity, multiplier: 1.62 },
  gpt41Nano: { kind: 'patches', patchesMax: 1_536, edgeMax: Infinity, multiplier: 2.46 },
  o4Mini: { kind: 'patches', patchesMax: 1_536, edgeMax: Infinity, multiplier: 1.72 },
  gpt54: { kind: 'patches', patchesMax: 2_500, edgeMax: 2_048, multiplier: 1 },
  claude: { kind: 'area', edgeMax: 1_568, tokensMax: 1_600 },
  claudeOpus47: { kind: 'area', edgeMax: 2_576, tokensMax: 4_784 },
  gemini: { kind: 'crops' },
  gemini3: { kind: 'fixed', tokens: 1_120 },
}

const ALL: readonly ImageFormula[] = Object.values(IMAGE_FORMULAS)

export interface ImageLook {
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly detail?: 'low' | 'high' | 'auto' | undefined
}

/**
 * Tokens of one image. Without a size: the most the formula can give. Without a formula: the most of all formulas, as
 * the model is not known when a message is stored.
 */
export function imageTokens(image: ImageLook, formula?: ImageFormula): number {
  const size = sizeOf(image)
  const low = image.detail === 'low'
  if (formula !== undefined) return tokensBy(formula, size, low)
  return Math.max(...ALL.map((each) => tokensBy(each, size, low)))
}

interface Size {
  readonly width: number
  readonly height: number
}

function sizeOf({ width, height }: ImageLook): Size | undefined {
  if (width === undefined || height === undefined) return undefined
  const sane = Number.isFinite(width) && Number.isFinite(height) && width > 0 && height > 0
  return sane ? { width, height } : undefined
}

function tokensBy(formula: ImageFormula, size: Size | undefined, low: boolean): number {
  switch (formula.kind) {
    case 'tiles':
      return low ? formula.base : formula.base + formula.tile * tiles(size)
    case 'patches':
      return Math.ceil((low ? 256 : patches(size, formula.patchesMax, formula.edgeMax)) * formula.multiplier)
    case 'area':
      return area(size, formula.edgeMax, formula.tokensMax)
    case 'crops':
      return 258 * crops(size)
    case 'fixed':
      return formula.tokens
  }
}

/** Never enlarges: a smaller image costs what its own pixels cost. */
function shrink(size: Size, factor: number): Size {
  return factor >= 1 ? size : { width: size.width * factor, height: size.height * factor }
}

function grid(size: Size, square: number): number {
  // Shrinking leaves 768.0000000001 for 768, which must not begin another square.
  const count = (pixels: number) => Math.max(1, Math.ceil(pixels / square - 1e-9))
  return count(size.width) * count(size.height)
}

function tiles(size: Size | undefined): number {
  // 2048 × 768 pixels.
  if (size === undefined) return 8
  const boxed = shrink(size, 2_048 / Math.max(size.width, size.height))
  return grid(shrink(boxed, 768 / Math.min(boxed.width, boxed.height)), 512)
}

function patches(size: Size | undefined, patchesMax: number, edgeMax: number): number {
  if (size === undefined) return patchesMax
  const boxed = shrink(size, edgeMax / Math.max(size.width, size.height))
  const whole = grid(boxed, 32)
  if (whole <= patchesMax) return whole
  // OpenAI shrinks until one side is a whole number of patches; so thin an image that this leaves none is all budget.
  const factor = Math.sqrt((patchesMax * 32 * 32) / (boxed.width * boxed.height))
  const across = (boxed.width * factor) / 32
  const down = (boxed.height * factor) / 32
  const fit = Math.min(Math.floor(across) / across, Math.floor(down) / down)
  if (fit <= 0) return patchesMax
  return Math.min(patchesMax, grid(shrink(boxed, factor * fit), 32))
}

/** The documentation of 2026 counts 28 pixel patches, the older one divides by 750: the larger of the two. */
function area(size: Size | undefined, edgeMax: number, tokensMax: number): number {
  if (size === undefined) return tokensMax
  const boxed = shrink(size, edgeMax / Math.max(size.width, size.height))
  return Math.min(tokensMax, Math.max(Math.ceil((boxed.width * boxed.height) / 750), grid(boxed, 28)))
}

/** Tiles are 768 pixels, or smaller for an image whose short side is: two thirds of that side, at least 256. */
function crops(size: Size | undefined): number {
  // 3072 × 385 pixels, the largest picture there is, cut into the smallest tiles.
  if (size === undefined) return 24
  if (size.width <= 384 && size.height <= 384) return 1
  const boxed = shrink(size, 3_072 / Math.max(size.width, size.height))
  const side = Math.floor(Math.min(boxed.width, boxed.height) / 1.5)
  return grid(boxed, Math.min(768, Math.max(256, side)))
}
