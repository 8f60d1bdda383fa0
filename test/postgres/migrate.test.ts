import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { freshDatabase, withClient } from './database.ts'

it('[pg-10] [pg-16] a change of the tables may take longer than a statement of a caller', async (context) => {
  await using database = await freshDatabase()
  if (database.kind !== 'server') return context.skip()
  await withClient(database.admin, (client) =>
    // As if the table were large.
    client.query(`CREATE FUNCTION public.linger() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
        IF EXISTS (SELECT 1 FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'daybook.jobs') THEN
          PERFORM pg_sleep(3);
        END IF; END $$;
      CREATE EVENT TRIGGER linger ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION public.linger()`),
  )
  const postgres = { ...database.postgres, statementMs: 2_000 }
  await using memory = await openMemory(database.url, { learn: false, postgres })
  expect(await memory.verify()).toMatchObject({ ok: true })
})

it('[pg-10] several processes make the tables at once, whatever the isolation of the server', async (context) => {
  await using database = await freshDatabase()
  if (database.kind !== 'server') return context.skip()
  const name = new URL(database.url).pathname.slice(1)
  await withClient(database.admin, (client) =>
    client.query(`ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`),
  )
  const memories = await Promise.all(
    Array.from({ length: 4 }, () => openMemory(database.url, { learn: false, postgres: database.postgres })),
  )
  for (const [index, memory] of memories.entries())
    await memory
      .scope('a')
      .session('s')
      .append({ role: 'user', content: `${index}` })
  expect(await memories[0]?.scope('a').session('s').count()).toBe(4)
  for (const memory of memories) await memory.close()
})

it('[pg-10] [surface-91] changes of what is known that were stored without numbers get them, under row security too', async (context) => {
  await using database = await freshDatabase()
  if (database.kind !== 'server') return context.skip()
  const open = (): ReturnType<typeof openMemory> =>
    openMemory(database.url, { learn: false, postgres: database.postgres })
  await (await open()).close()
  await withClient(database.admin, (client) =>
    client.query(`SET search_path TO daybook;
      DELETE FROM migrations WHERE number >= 15;
      DROP INDEX forgotten_sessions_by_scope;
      DROP INDEX knowledge_versions_by_scope;
      ALTER TABLE knowledge_versions DROP COLUMN nth;
      CREATE INDEX knowledge_versions_by_scope ON knowledge_versions (root, scope, version);
      INSERT INTO knowledge_versions (root, version, scope, at)
        VALUES ('acme', 1, 'acme', 0), ('acme', 2, 'acme/ada', 0), ('acme', 3, 'acme/bob', 0), ('acme', 4, 'acme/ada', 0)`),
  )
  await using memory = await open()
  const counted = ['acme', 'acme/ada', 'acme/bob'].map((scope) => memory.scope(scope).knowledgeVersion())
  expect(await Promise.all(counted)).toEqual([1, 3, 2])
  expect(await memory.verify()).toMatchObject({ ok: true })
})
