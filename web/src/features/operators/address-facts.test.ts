import { expect, test } from 'vitest'
import { addressFacts } from './address-facts.ts'

test.each([
  ['https://id.example.com', 'https://id.example.com', ['same']],
  ['http://localhost:3000', 'http://localhost:3000', ['same']],
  ['http://localhost:3000', 'https://id.example.com', ['other']],
  ['https://id.example.com', 'https://id.example.com:8443', ['other']],
  ['http://id.example.com', 'http://id.example.com', ['same', 'http']],
  ['http://id.example.com', 'https://id.example.com', ['other', 'http']],
] as const)('the public address %s of a page under %s', (address, origin, facts) => {
  expect(addressFacts(address, origin)).toEqual(facts)
})
