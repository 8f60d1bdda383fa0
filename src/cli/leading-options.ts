/** Options that every command about a memory has, and that people write before the command as well. */
const WITH_VALUE = [
  '-m',
  '--memory',
  '-s',
  '--scope',
  '-S',
  '--session',
  '--key',
  '--file-key',
  '--content-key',
  '--keys',
]
const FLAGS = ['--json', '--jsonl', '--read-only']

/** Moves the options before the command behind it: `--scope acme/ada show first` is `show --scope acme/ada first`. */
export function leadingOptions(words: readonly string[]): {
  readonly leading: readonly string[]
  readonly rest: readonly string[]
} {
  let at = 0
  for (;;) {
    const word = words[at] ?? ''
    if (FLAGS.includes(word) || WITH_VALUE.some((option) => option.startsWith('--') && word.startsWith(`${option}=`)))
      at += 1
    else if (WITH_VALUE.includes(word)) at += 2
    else break
  }
  return { leading: words.slice(0, at), rest: words.slice(at) }
}
