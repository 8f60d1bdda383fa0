import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { daybook, folder } from './harness.ts'

const place = folder()
const at = (name: string): readonly string[] => ['--memory', join(place, name), '--scope', 'acme/ada']
const append = (name: string, session: string, text: string): ReturnType<typeof daybook> =>
  daybook(['append', '--create', ...at(name), '--session', session, text])

it('[docs-5] conversations are exported as documents and imported into another memory; doing it twice changes nothing', async () => {
  await append('a.db', 'support/42', 'My order is late.')
  await append('a.db', 'Other', 'Hello.')
  const files = join(place, 'sessions')
  const out = ['export', ...at('a.db'), '--documents', files]
  expect(await daybook(out)).toMatchObject({ status: 0, stderr: '' })
  expect(readdirSync(files).filter((name) => name.endsWith('.json'))).toHaveLength(2)
  expect((await daybook(out)).stdout).toContain('0 documents written, 2 unchanged')

  const into = ['import', '--create', ...at('b.db'), '--documents', files]
  expect(await daybook(into)).toMatchObject({ status: 0, stdout: '2 documents imported, 2 new messages\n' })
  expect((await daybook(into)).stdout).toBe('2 documents imported, 0 new messages\n')
  expect((await daybook(['show', ...at('b.db'), 'support/42'])).stdout).toContain('My order is late.')
  const back = ['export', ...at('b.db'), '--documents', files]
  expect((await daybook(back)).stdout).toContain('0 documents written, 2 unchanged')
})

it('[docs-5] a file that somebody edited is replaced only with --force, also if it has no version', async () => {
  await append('c.db', 's', 'one')
  const files = join(place, 'edited')
  const out = ['export', ...at('c.db'), '--documents', files]
  await daybook(out)
  const file = join(files, 's.json')
  const { version: _, ...document } = JSON.parse(readFileSync(file, 'utf8')) as { version: number; facts: string[] }
  const edited = JSON.stringify({ ...document, facts: ['by hand'] })
  writeFileSync(file, edited)
  expect(await daybook(out)).toMatchObject({ status: 4, stdout: expect.stringContaining('--force') as string })
  expect(readFileSync(file, 'utf8')).toBe(edited)
  expect((await daybook([...out, '--force'])).status).toBe(0)
  expect(readFileSync(file, 'utf8')).not.toContain('by hand')
})

it('[docs-5] a conversation that went on is written again without --force, and one of another scope is not', async () => {
  await append('i.db', 's', 'one')
  const files = join(place, 'grown')
  const out = ['export', ...at('i.db'), '--documents', files]
  await daybook(out)
  await append('i.db', 's', 'two')
  expect(await daybook(out)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('1 document written') as string,
  })
  expect(readFileSync(join(files, 's.json'), 'utf8')).toContain('two')
  expect((await daybook(out)).stdout).toContain('0 documents written, 1 unchanged')
  await append('i.db', 's', 'three')
  expect((await daybook(out)).status).toBe(0)

  const other = ['--memory', join(place, 'i.db'), '--scope', 'acme/bob']
  await daybook(['append', ...other, '--session', 's', 'mine'])
  expect((await daybook(['export', ...other, '--documents', files])).status).toBe(4)
  expect(readFileSync(join(files, 's.json'), 'utf8')).toContain('three')
})

it('[docs-3] a damaged file is reported and put aside, and the others are written', async () => {
  await append('j.db', 'bad', 'one')
  await append('j.db', 'good', 'one')
  const files = join(place, 'torn')
  const out = ['export', ...at('j.db'), '--documents', files]
  await daybook(out)
  writeFileSync(join(files, 'bad.json'), '{"session_id":"bad","rec')
  await append('j.db', 'good', 'two')
  const told = expect.stringMatching(/^bad: Cannot read .*--force.*\n1 document written/) as string
  expect(await daybook(out)).toMatchObject({ status: 4, stdout: told })
  expect(readFileSync(join(files, 'good.json'), 'utf8')).toContain('two')
  expect(await daybook([...out, '--force'])).toMatchObject({ status: 0 })
  expect(readFileSync(join(files, 'bad.json'), 'utf8')).toContain('one')
  expect(readdirSync(files).filter((name) => name.startsWith('bad.corrupt-'))).toHaveLength(1)
})

it('[docs-3] a damaged file is reported, and the others are imported', async () => {
  await append('d.db', 'good', 'one')
  await append('d.db', 'bad', 'two')
  const files = join(place, 'damaged')
  await daybook(['export', ...at('d.db'), '--documents', files])
  writeFileSync(join(files, 'bad.json'), '{"session_id":"bad","rec')
  const came = await daybook(['import', '--create', ...at('e.db'), '--documents', files])
  expect(came).toMatchObject({ status: 1, stdout: expect.stringMatching(/^bad: .*\n1 document imported/) as string })
  expect((await daybook(['import', ...at('e.db'), '--documents', join(place, 'none')])).status).toBe(3)
})

it('[imp-3] a file of which nothing comes in is no success; one of ours says where it belongs', async () => {
  const odd = join(place, 'odd.json')
  writeFileSync(odd, '{"odd":true}')
  expect(await daybook(['import', '--create', ...at('f.db'), odd])).toMatchObject({ status: 1 })
  await append('g.db', 's', 'one')
  await daybook(['export', ...at('g.db'), '--documents', join(place, 'one')])
  const came = await daybook(['import', ...at('f.db'), join(place, 'one', 's.json')])
  expect(came).toMatchObject({ status: 1, stdout: expect.stringContaining('daybook import --documents') as string })
})

it('[doc-1] the doctor knows an archive of ours, whole or torn, and waits for no pipe', async () => {
  await append('h.db', 's', 'one')
  const archive = join(place, 'all.daybook')
  await daybook(['export', '--memory', join(place, 'h.db'), archive])
  expect(await daybook(['doctor', archive])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('an archive of Daybook') as string,
  })
  expect((await daybook(['doctor', archive, '--fix'])).status).toBe(2)
  writeFileSync(archive, readFileSync(archive).subarray(0, -20))
  expect(await daybook(['doctor', archive])).toMatchObject({
    status: 5,
    stdout: expect.stringContaining('torn') as string,
  })
  if (process.platform === 'win32') return
  const pipe = join(place, 'pipe')
  execFileSync('mkfifo', [pipe])
  expect((await daybook(['doctor', pipe])).status).toBe(3)
  expect((await daybook(['import', ...at('h.db'), pipe])).status).toBe(1)
})
