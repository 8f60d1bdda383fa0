// Embeds the passages of a file until it is done or killed, and says before each call what it asks for.
import { hashEmbedder } from '../../../src/providers/hash-embedder.ts'
import { Vectors } from '../../../src/recall/vectors/vectors.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/store.ts'
import { BATCH, sourceOf } from '../harness/passages.ts'
import { tell, waitForGo } from '../harness/parent.ts'

const [file = ''] = process.argv.slice(2)
const { model, passages } = waitForGo() as { readonly model: string; readonly passages: number }
const hash = hashEmbedder()
const store = await openSqliteStore(file, Date.now)
const vectors = new Vectors({
  store: store.vectors,
  source: sourceOf(passages),
  embedders: [
    {
      ...hash,
      name: model,
      embed: (request) => {
        tell({ asked: request.texts.length })
        return hash.embed(request)
      },
    },
  ],
  random: () => 0,
  limits: { batch: BATCH },
})
const report = await vectors.post()
await store.close()
tell({ done: report })
