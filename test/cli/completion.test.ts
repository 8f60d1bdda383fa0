import { describe, expect, it } from 'vitest'
import { daybook, runProcess } from './harness.ts'

/** What bash would offer for a line, asked of a real bash. */
async function offered(words: readonly string[]): Promise<readonly string[]> {
  const { stdout: script } = await daybook(['completion', 'bash'])
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const { stdout, stderr } = await runProcess('bash', [
    '--norc',
    '-c',
    `${script}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _daybook; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ])
  expect(stderr).toBe('')
  return stdout.split('\n').filter((line) => line !== '')
}

describe('[cli-1] shell completion', () => {
  it('offers commands, and the options of a command, in bash', async () => {
    expect(await offered(['daybook', 're'])).toEqual([
      'recall',
      'reopen',
      'remember',
      'retract',
      'retention',
      'restore',
      'rebuild',
    ])
    expect(await offered(['daybook', 'context', '--d'])).toEqual(['--diff'])
    expect(await offered(['daybook', 'verify', '--'])).toEqual([
      '--memory',
      '--read-only',
      '--json',
      '--tighten',
      '--head',
      '--sign-key',
      '--no-index',
      '--help',
    ])
  })

  it.each(['zsh', 'fish'])('has every command for %s', async (shell) => {
    const { stdout } = await daybook(['completion', shell])
    const { stdout: overview } = await daybook(['--help'])
    const names = [...overview.matchAll(/^ {2}([a-z]+)(?:, [a-z]+)? {2,}[A-Z]/gm)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(20)
    for (const name of names)
      expect(stdout).toMatch(shell === 'zsh' ? new RegExp(`'${name}:`) : new RegExp(` -a ${name} `))
  })

  it('knows three shells', async () => {
    const { status, stdout, stderr } = await daybook(['completion', 'cmd'])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain('bash, zsh, fish')
  })
})
