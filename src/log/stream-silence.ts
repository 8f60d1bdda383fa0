/** A stream that stores nothing for this long is abandoned. Streams store something every second, also while the model is silent. */
export const STREAM_SILENCE_MS_MAX = 5_000
