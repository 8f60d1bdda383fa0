// Accuracy, speed and event-loop delay of the tokenizers. Run: node bench/tokens.ts
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Tokenizer } from '../src/ports/tokenizer.ts'
import { countMessage } from '../src/tokens/count-message.ts'
import { countText } from '../src/tokens/count-text.ts'
import { estimator } from '../src/tokens/estimate.ts'
import { loadTokenizer } from '../src/tokens/exact.ts'
import { pathologicalSamples } from '../test/tokens/pathological-samples.ts'
import { naturalSamples } from '../test/tokens/samples.ts'

const loaded = performance.now()
const o200k = await loadTokenizer('o200k_base')
const loadMs = performance.now() - loaded
const cl100k = await loadTokenizer('cl100k_base')
const large = estimator('large')
const small = estimator('small')

const percent = (estimate: number, exact: number): string =>
  `${((estimate / exact - 1) * 100).toFixed(1)} %`.padStart(9)

console.log('Estimates against exact counts')
console.log(
  `${'text'.padEnd(24)}${'o200k'.padStart(6)}${'large'.padStart(9)}${'cl100k'.padStart(8)}${'small'.padStart(9)}`,
)
for (const { name, text } of naturalSamples) {
  const [a, b] = [o200k.count(text), cl100k.count(text)]
  console.log(
    `${name.padEnd(24)}${String(a).padStart(6)}${percent(large.count(text), a)}${String(b).padStart(8)}${percent(small.count(text), b)}`,
  )
}

function megabytesPerSecond(tokenizer: Tokenizer, text: string): string {
  const bytes = Buffer.byteLength(text)
  const end = performance.now() + 300
  let rounds = 0
  const start = performance.now()
  while (performance.now() < end) {
    tokenizer.count(text)
    rounds++
  }
  return `${((rounds * bytes) / (performance.now() - start) / 1_000).toFixed(0)} MB/s`
}

console.log(`\nSpeed (o200k_base took ${loadMs.toFixed(0)} ms to load)`)
for (const name of ['English prose', 'TypeScript', 'JSON', 'Chinese, simplified', 'Hindi', 'base64']) {
  const text = (naturalSamples.find((sample) => sample.name === name)?.text ?? '').repeat(8)
  console.log(
    `${name.padEnd(24)}estimate ${megabytesPerSecond(small, text).padStart(9)}   o200k ${megabytesPerSecond(o200k, text).padStart(9)}`,
  )
}
const message = {
  role: 'user',
  parts: [{ type: 'text', text: (naturalSamples[0]?.text ?? '').slice(0, 300) }],
} as const
for (let round = 0; round < 50_000; round++) countMessage(small, message)
const begun = performance.now()
for (let round = 0; round < 100_000; round++) countMessage(small, message)
console.log(`a message of 300 bytes: ${((performance.now() - begun) / 100).toFixed(2)} µs`)

console.log('\n[tok-2] A million characters by countText: time, and longest turn of the event loop')
for (const { name, text } of pathologicalSamples(1_000_000)) {
  const row = [name.padEnd(32)]
  for (const tokenizer of [small, o200k, cl100k]) {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const start = performance.now()
    await countText(tokenizer, text)
    const ms = performance.now() - start
    delay.disable()
    row.push(
      `${tokenizer.name} ${ms.toFixed(0).padStart(5)} ms, ${(delay.max / 1e6).toFixed(0).padStart(3)} ms`.padEnd(32),
    )
  }
  console.log(row.join(''))
}
