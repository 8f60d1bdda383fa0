// Takes the pictures of docs/inspector.md: node scripts/bootstrap.cjs scripts/inspector-picture.ts
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser, openReader, serveMemory } from '../test/doors/inspector/harness.ts'
import { buildInspector } from './build-inspector.ts'
import { ROOT } from './run.ts'

const pictures: readonly (readonly [file: string, path: string, ready: string])[] = [
  ['inspector-conversation.png', '/session?scope=sample/ada&id=support-42', '.account .ledger'],
  ['inspector-knowledge.png', '/knowledge?scope=sample/ada&subject=Ada', '.card:has-text("Around Ada") svg'],
]

const folder = mkdtempSync(join(tmpdir(), 'daybook-picture-'))
await buildInspector()
const served = await serveMemory(folder, [process.execPath, join(ROOT, 'src/cli/main.ts')], join(folder, 'sample.db'))
const browser = await openBrowser()
try {
  await using reader = await openReader(browser, served)
  await reader.page.click('text=Load the sample')
  // The last words of the sample.
  await reader.page.waitForSelector('.session-row:has-text("You prefer a window seat")')
  for (const [file, path, ready] of pictures) {
    await reader.open(path)
    await reader.page.waitForSelector(ready)
    await reader.page.screenshot({ path: join(ROOT, 'docs/pictures', file) })
  }
} finally {
  await browser.close()
  await served.stop()
  rmSync(folder, { recursive: true })
}
