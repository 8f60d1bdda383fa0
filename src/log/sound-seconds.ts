/** In a WAV file, parts that come before the sound. */
const CHUNKS_MAX = 100
/** A title and a picture may come before the first frame of an MP3. */
const FRAME_SEARCH_BYTES = 4_096
/** The shortest of layer III: a file with more frames than it has room for states something wrong. */
const FRAME_BYTES_MIN = 24
/** Four months. What plays longer was not recorded. */
const SECONDS_MAX = 10_000_000

/** How many seconds a WAV or MP3 file plays, from its first bytes; `undefined` for anything else. Never throws. */
export function readSoundSeconds(bytes: Uint8Array): number | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const seconds = wavSeconds(file) ?? mp3Seconds(file)
  return seconds !== undefined && seconds > 0 && seconds < SECONDS_MAX ? Math.ceil(seconds * 10) / 10 : undefined
}

function wavSeconds(file: Buffer): number | undefined {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') return undefined
  let [at, bytesPerSecond] = [12, 0]
  for (let chunk = 0; chunk < CHUNKS_MAX && at + 8 <= file.length; chunk++) {
    const [name, size] = [file.toString('latin1', at, at + 4), file.readUInt32LE(at + 4)]
    if (name === 'fmt ' && at + 20 <= file.length) bytesPerSecond = file.readUInt32LE(at + 16)
    // A recorder that was still running wrote no size, or too large a one.
    if (name === 'data') return Math.min(size === 0 ? Infinity : size, file.length - at - 8) / bytesPerSecond
    at += 8 + size + (size % 2)
  }
  return undefined
}

/** Of layer III: of MPEG 1, and of MPEG 2 and 2.5. In kbit/s. */
const MPEG1_RATES = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const MPEG2_RATES = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const SAMPLE_RATES = [44_100, 48_000, 32_000]

/** By the number of frames that the first one states; otherwise all frames are taken to be like the first. */
function mp3Seconds(file: Buffer): number | undefined {
  const hasTag = file.toString('latin1', 0, 3) === 'ID3' && file.length > 10
  const tag = hasTag ? 10 + [6, 7, 8, 9].reduce((size, index) => size * 128 + ((file[index] ?? 0) & 0x7f), 0) : 0
  for (let at = tag; at + 4 < Math.min(file.length, tag + FRAME_SEARCH_BYTES); at++) {
    const header = file.readUInt32BE(at)
    const [version, layer, rate, frequency] = [
      (header >>> 19) & 3,
      (header >>> 17) & 3,
      (header >>> 12) & 15,
      (header >>> 10) & 3,
    ]
    const kilobits = (version === 3 ? MPEG1_RATES : MPEG2_RATES)[rate]
    if (header >>> 21 !== 0x7ff || version === 1 || layer !== 1 || !kilobits || frequency === 3) continue
    const frames = statedFrames(file.subarray(at, at + 200))
    if (frames === undefined || frames > file.length / FRAME_BYTES_MIN) return (file.length - at) / (kilobits * 125)
    const samplesPerSecond = (SAMPLE_RATES[frequency] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4)
    return (frames * (version === 3 ? 1_152 : 576)) / samplesPerSecond
  }
  return undefined
}

function statedFrames(frame: Buffer): number | undefined {
  const at = Math.max(frame.indexOf('Xing'), frame.indexOf('Info'))
  if (at < 0 || at + 12 > frame.length || (frame.readUInt32BE(at + 4) & 1) === 0) return undefined
  return frame.readUInt32BE(at + 8)
}
