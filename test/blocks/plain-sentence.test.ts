import { describe, expect, it } from 'vitest'
import { plainSentence } from '../../src/blocks/plain-sentence.ts'

describe('[contexts-61] a fact as a plain sentence', () => {
  it.each<readonly [predicate: string, objects: readonly string[], sentence: string]>([
    ['lives_in', ['Rome'], 'User lives in Rome'],
    ['likes', ['tea', 'milk', 'rain'], 'User likes tea, milk and rain'],
    ['has', ['two kids'], 'User has two kids'],
    ['does_not_use', ['Windows'], 'User does not use Windows'],
    ['decided', ['to use SQLite'], 'User decided to use SQLite'],
    ['studied_at', ['Kew'], 'User studied at Kew'],
    ['allergic_to', ['nuts', 'milk'], 'User is allergic to nuts and milk'],
    ['training_for', ['a marathon'], 'User is training for a marathon'],
    ['learning', ['Welsh'], 'User is learning Welsh'],
    ['married_to', ['Ellen'], 'User is married to Ellen'],
    ['name', ['Ada Keller'], "User's name is Ada Keller"],
    ['dog', ['Rex'], "User's dog is Rex"],
    ['address', ['Main Street 4'], "User's address is Main Street 4"],
    ['marital_status', ['single'], "User's marital status is single"],
    ['pronouns', ['she/her'], "User's pronouns are she/her"],
    ['favourite tools', ['vim'], "User's favourite tools are vim"],
    ['is', ['a nurse'], 'User is a nurse'],
  ])('%s %j', (predicate, objects, sentence) => {
    expect(plainSentence('User', predicate, objects)).toBe(sentence)
  })
})
