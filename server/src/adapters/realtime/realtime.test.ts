import { expect, test } from 'vitest'
import { openStore } from '../../../test/databases/open-store.ts'
import { REALTIME_CHANNEL, type RealtimeMessage, realtime } from './realtime.ts'

const changed = (user: number): RealtimeMessage => ({ to: `user:${user}`, event: 'account:updated' })

test('messages of the same moment are one signal, in their order, and later ones another', async () => {
  const { store } = await openStore()
  const received: RealtimeMessage[][] = []
  store.signals.on(REALTIME_CHANNEL, (payload) => void received.push(JSON.parse(payload ?? '')))
  const { publish, sent } = realtime(store.signals)
  await Promise.all([publish([changed(1), changed(2)]), publish([changed(3)])])
  expect(received).toEqual([[changed(1), changed(2), changed(3)]])
  void publish([changed(4)])
  await sent()
  expect(received[1]).toEqual([changed(4)])
})

test('a publisher gets an error for a message that cannot be sent, and later messages are sent', async () => {
  const announced: string[] = []
  const { publish, sent } = realtime({
    async announce(_, payload) {
      if (announced.push(payload) === 1) throw new Error('no database')
    },
  })
  const both = await Promise.allSettled([publish([changed(1)]), publish([changed(2)])])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  void publish([changed(3)])
  await sent()
  expect(announced.map((text) => JSON.parse(text))).toEqual([[changed(1), changed(2)], [changed(3)]])
})

test('messages that are published while others are sent are sent after them, together', async () => {
  const announced: string[] = []
  const gate = Promise.withResolvers<void>()
  const { publish, sent } = realtime({
    async announce(_, payload) {
      if (announced.length === 0) await gate.promise
      announced.push(payload)
    },
  })
  const first = publish([changed(1)])
  await new Promise(setImmediate)
  void publish([changed(2)])
  await new Promise(setImmediate)
  void publish([changed(3)])
  expect(announced).toEqual([])
  gate.resolve()
  await Promise.all([first, sent()])
  expect(announced.map((text) => JSON.parse(text))).toEqual([[changed(1)], [changed(2), changed(3)]])
})

test('messages in the pause after a signal are sent together after it, at the latest when the server closes', async () => {
  const announced: string[] = []
  const minute = { pause: 60_000 }
  const { publish, sent } = realtime({ announce: async (_, payload) => void announced.push(payload) }, minute)
  await publish([changed(1)])
  void publish([changed(2)])
  await new Promise(setImmediate)
  void publish([changed(3)])
  await new Promise(setImmediate)
  expect(announced.map((text) => JSON.parse(text))).toEqual([[changed(1)]])
  await sent()
  expect(announced.map((text) => JSON.parse(text))).toEqual([[changed(1)], [changed(2), changed(3)]])
})
