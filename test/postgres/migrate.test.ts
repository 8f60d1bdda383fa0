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
