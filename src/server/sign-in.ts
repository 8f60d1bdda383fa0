import type { Context as HonoContext, Hono } from 'hono'
import { MemoryError } from '../domain/error.ts'
import { cookieName } from './middleware/credentials.ts'
import { type NodeEnv, fromRequest } from './from-request.ts'
import { identify } from './identify.ts'
import type { Service } from './service.ts'

const DAYS_90_S = 90 * 24 * 3_600

/**
 * The inspector's sign-in. The page sends its key once, and gets it back as a cookie that no script can read and that no other site
 * can send along.
 */
export function addSignIn(app: Hono, service: Service, { secure }: { readonly secure: boolean }): void {
  app.get('/sign-in', async (context) => context.json({ key: await keyOf(service, context) }, 200, NOT_KEPT))
  app.post('/sign-in', async (context) => {
    const header = context.req.header('authorization')
    if (header === undefined)
      throw new MemoryError(
        'access/unauthenticated',
        'Cannot sign in: expected a key, sent as "Authorization: Bearer dbk_…"',
      )
    const key = await keyOf(service, context)
    const token = header.replace(/^bearer /i, '')
    return context.json({ key }, 200, {
      ...NOT_KEPT,
      'set-cookie': cookie(context, token, { secure, seconds: DAYS_90_S }),
    })
  })
  app.delete('/sign-in', (context) =>
    context.json({}, 200, { ...NOT_KEPT, 'set-cookie': cookie(context, '', { secure, seconds: 0 }) }),
  )
}

const NOT_KEPT = { 'cache-control': 'no-store' }

/** What the page shows about the key, so that it offers only what the key may do. */
async function keyOf(service: Service, context: HonoContext): Promise<object> {
  const { id, name, scope, can, expiresAt } = await identify(
    service,
    fromRequest(context.req.raw, context.env as NodeEnv),
  )
  return { id, name, scope, can, expiresAt }
}

function cookie(
  context: HonoContext,
  token: string,
  { secure, seconds }: { readonly secure: boolean; readonly seconds: number },
): string {
  const parts = [
    `${cookieName(context.req.raw.headers)}=${token}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${seconds}`,
  ]
  return [...parts, ...(secure ? ['Secure'] : [])].join('; ')
}
