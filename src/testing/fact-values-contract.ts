import { describe, expect, it } from 'vitest'
import { ManualClock, type OpenSubject } from './subject.ts'

/** Which values of a predicate stay side by side. */
export function testFactValues(open: OpenSubject): void {
  describe('values of a fact', () => {
    it('[signed-4] what can be true at once stays: two addresses, a place within a place', async () => {
      await using memory = await open()
      const scope = memory.scope('a')
      for (const object of ['ada@example.com', 'ada@work.example'])
        expect(await scope.remember({ subject: 'Ada', predicate: 'email', object })).toMatchObject([{ closed: [] }])
      for (const entity of ['France', 'Europe'])
        await scope.remember({ subject: 'Paris', predicate: 'located in', object: { entity } })
      expect(await scope.facts({ subject: 'Ada' })).toHaveLength(2)
      expect(await scope.facts({ subject: 'Paris' })).toHaveLength(2)
    })

    it('[signed-5] a value given alongside others closes none, whatever is stored, retracted or restored after', async () => {
      const clock = new ManualClock()
      await using memory = await open({ clock })
      const scope = memory.scope('a')
      const capital = (object: string, alongside: boolean) => ({
        subject: 'Bolivia',
        predicate: 'capital',
        object,
        alongside,
      })
      await scope.remember(capital('Sucre', false))
      clock.time += 1_000
      const [paz] = await scope.remember(capital('La Paz', true))
      expect(paz).toMatchObject({ outcome: 'added', closed: [], state: 'current' })
      const capitals = async (): Promise<readonly string[]> =>
        (await scope.facts()).map(({ object }) => String(object)).toSorted()
      expect(await capitals()).toEqual(['La Paz', 'Sucre'])
      clock.time += 1_000
      const [cobija] = await scope.remember(capital('Cobija', false))
      expect(await capitals()).toEqual(['Cobija', 'La Paz'])
      await scope.retract(cobija.id)
      expect(await capitals()).toEqual(['La Paz', 'Sucre'])
      await scope.retract(paz.id)
      await scope.restore(paz.id)
      expect(await capitals()).toEqual(['La Paz', 'Sucre'])
    })
  })
}
