import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../../scripts/run.ts'
import { freePort } from '../postgres/server.ts'
import { type Project, makeProject } from './project.ts'
import { scriptedProvider } from './scripted-provider.ts'

const BROWSER = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync)
/** What esbuild prints as 130 kb. */
const DIALECTS_BYTES_MAX = 130 * 1_024

/** Writes, searches, and uses what runs in workers and processes of its own. */
const PROGRAM = `
import { openMemory } from 'daybook'
async function main() {
  const memory = await openMemory(process.argv[2] ?? 'bundled.db')
  const ada = memory.scope('acme/ada')
  await ada.session('first').append({ role: 'user', content: 'Order 7731 is late.' })
  const { items } = await ada.recall('what is late?', { fresh: true })
  const { messages } = await memory.backup((process.argv[2] ?? 'bundled.db') + '.backup')
  await ada.forget({ session: 'first' })
  await memory.close()
  console.log(JSON.stringify({ recalled: items.length, messages }))
}
main().catch((error) => {
  console.log(JSON.stringify({ code: error.code, message: error.message }))
})
`

describe('bundlers', () => {
  let project: Project
  beforeAll(async () => {
    project = await makeProject(
      ['esbuild', 'vite', 'webpack', 'webpack-cli', 'next', 'react', 'react-dom', 'ai', '@ai-sdk/openai'],
      {
        manifest: { allowScripts: { esbuild: true } },
      },
    )
    project.write('main.js', PROGRAM)
  })

  const build = async (tool: string, words: readonly string[]): Promise<void> => {
    const { code, output } = await project.run(project.bin(tool), words, {
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
    })
    expect(code, output).toBe(0)
  }
  const start = async (file: string): Promise<unknown> => {
    const { stdout, output } = await project.run(process.execPath, [file, `${file.replaceAll('/', '-')}.db`])
    expect(stdout, output).not.toBe('')
    return JSON.parse(stdout)
  }
  const works = { recalled: 1, messages: 1 }
  const esbuild = (format: string, ...words: readonly string[]): Promise<void> =>
    build('esbuild', ['main.js', '--bundle', '--platform=node', `--format=${format}`, '--log-level=error', ...words])

  it('[anywhere-18] esbuild, ESM and CommonJS, with --external:daybook', async () => {
    await esbuild('esm', '--external:daybook', '--outfile=out/external.mjs')
    expect(await start('out/external.mjs')).toEqual(works)
    await esbuild('cjs', '--external:daybook', '--outfile=out/external.cjs')
    expect(await start('out/external.cjs')).toEqual(works)
  })

  it('[anywhere-18] esbuild without that line builds, and the error says which line to add', async () => {
    await esbuild('esm', '--outfile=out/whole.mjs')
    await esbuild('cjs', '--outfile=out/whole.cjs')
    for (const file of ['out/whole.mjs', 'out/whole.cjs'])
      expect(await start(file)).toEqual({
        code: 'store/unsupported',
        message: expect.stringContaining('keep daybook outside of it: esbuild --external:daybook') as string,
      })
  })

  it('[anywhere-18] Vite for the server, as it is', async () => {
    await build('vite', ['build', '--ssr', 'main.js', '--outDir', 'out/vite', '--logLevel', 'error'])
    expect(await start('out/vite/main.js')).toEqual(works)
  })

  it("[anywhere-18] webpack, with externals: { daybook: 'commonjs daybook' }", async () => {
    project.write(
      'webpack.config.cjs',
      `module.exports = { mode: 'production', target: 'node', entry: './main.js', externals: { daybook: 'commonjs daybook' },
        output: { path: __dirname + '/out/webpack', filename: 'main.cjs' } }`,
    )
    await build('webpack', ['-c', 'webpack.config.cjs'])
    expect(await start('out/webpack/main.cjs')).toEqual(works)
  })

  it("[anywhere-18] [words-22] Next.js, with serverExternalPackages: ['daybook']", async () => {
    project.write('next.config.mjs', `export default { serverExternalPackages: ['daybook'] }`)
    project.write('app/layout.js', 'export default ({ children }) => <html><body>{children}</body></html>')
    project.write(
      'app/api/chat/route.js',
      readFileSync(join(ROOT, 'examples/next-route/app/api/chat/route.js'), 'utf8'),
    )
    await build('next', ['build'])
    await using provider = await scriptedProvider(['Lisbon is lovely.', 'You live in Lisbon.'])
    const port = await freePort()
    const server = spawn(process.execPath, [project.bin('next'), 'start', '-p', String(port)], {
      cwd: project.folder,
      env: { ...process.env, OPENAI_BASE_URL: provider.address, OPENAI_API_KEY: 'none' },
      stdio: 'ignore',
    })
    try {
      const address = `http://127.0.0.1:${port}/api/chat`
      const load = (): Promise<unknown> =>
        fetch(`${address}?chat=c1`).then(
          (response) => response.json(),
          () => undefined,
        )
      await expect.poll(load).toEqual([])
      const say = async (text: string): Promise<string> => {
        const response = await fetch(address, { method: 'POST', body: JSON.stringify({ chat: 'c1', text }) })
        return response.text()
      }
      expect(await say('I live in Lisbon.')).toBe('Lisbon is lovely.')
      expect(await say('Where do I live?')).toBe('You live in Lisbon.')
      // The second call of the model has the first turn, which only the memory kept.
      expect(JSON.stringify(provider.requests[1])).toMatch(/I live in Lisbon.+Lisbon is lovely.+Where do I live/)
      await expect.poll(load).toMatchObject(['user', 'assistant', 'user', 'assistant'].map((role) => ({ role })))
    } finally {
      server.kill()
    }
  })

  it('[anywhere-19] lint, repair and convert are at most 130 kB for a browser', async () => {
    project.write(
      'browser.js',
      `import { convert, lint, repair } from 'daybook/dialects'
      const chat = [{ role: 'user', content: 'Hi' }, { role: 'tool', tool_call_id: 'c1', content: 'late' }]
      const { messages } = convert(chat.slice(0, 1), { from: 'openai', to: 'anthropic' })
      document.body.textContent = JSON.stringify([lint(chat, 'openai').length > 0, lint(repair(chat, 'openai'), 'openai').length, messages.length])`,
    )
    await build('esbuild', [
      'browser.js',
      '--bundle',
      '--minify',
      '--platform=browser',
      '--format=iife',
      '--outfile=out/browser.js',
      '--log-level=error',
    ])
    const bytes = readFileSync(join(project.folder, 'out/browser.js')).length
    console.log(`daybook/dialects in a browser: ${(bytes / 1_024).toFixed(1)} kB`)
    expect(bytes).toBeLessThanOrEqual(DIALECTS_BYTES_MAX)
  })

  it.skipIf(BROWSER === undefined)('[anywhere-19] and run there', async () => {
    project.write('out/page.html', '<!doctype html><body></body><script src="browser.js"></script>')
    const flags = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--allow-file-access-from-files',
      '--dump-dom',
    ]
    const { stdout, output } = await project.run(BROWSER ?? '', [...flags, `file://${project.folder}/out/page.html`])
    expect(stdout, output).toContain('[true,0,1]')
  })
})
