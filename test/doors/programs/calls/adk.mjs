import { InMemorySessionService, createEvent } from '@google/adk'
import { DaybookSessionService } from 'daybook/adk'

const key = { appName: 'shop', userId: 'ada', sessionId: 's' }

async function call(service, number) {
  const session = await service.getOrCreateSession(key)
  const parts = [{ text: `question ${number}` }]
  const actions = { stateDelta: { last: number, 'user:last': number, [`app:${number}`]: true } }
  const event = createEvent({
    id: `e${number}`,
    author: 'user',
    timestamp: number + 1,
    content: { role: 'user', parts },
    actions,
  })
  await service.appendEvent({ session, event })
}

const read = async (service) => (await service.getSession(key)) ?? null

export function open(memory) {
  const service = new DaybookSessionService(memory)
  return { call: (number) => call(service, number), read: () => read(service) }
}

export async function expected(calls) {
  const service = new InMemorySessionService()
  for (let number = 0; number < calls; number++) await call(service, number)
  return read(service)
}
