import { useRouter } from '@tanstack/react-router'
import { auth } from '@vrata/contract'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { notify, useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { sessionList } from './data.ts'
import type { Device } from './devices.ts'
import { useEnding } from './use-ending.ts'

type Props = { device: Device; name: string; onFailed: (sentence: string) => void }

/** Asked of a device that is new: "No" signs it out and leads on to the password, which somebody else may know. */
export function DoYouKnow({ device, name, onFailed }: Props) {
  const { t } = useI18n()
  const wires = useWires()
  const router = useRouter()
  const { sentence } = useRefusal()
  const [saying, setSaying] = useState(false)
  const { end, busy } = useEnding(async () => {
    notify(wires.notices, t('security.devices.unknown_out', { device: name }))
    await router.navigate({ href: paths.securityPassword })
  }, onFailed)

  async function know() {
    setSaying(true)
    for (const { id } of device.sessions) {
      const answer = await wires.api(auth.knowSession, { id })
      if (!answer.ok && answer.problem.code !== 'not_found') onFailed(sentence(answer))
    }
    await wires.queries.invalidateQueries({ queryKey: sessionList(wires).queryKey })
    setSaying(false)
  }

  return (
    <fieldset className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-control bg-lamp-soft px-4 py-3">
      <legend className="sr-only">{name}</legend>
      <p className="min-w-0 grow basis-48 font-medium text-on-lamp">{t('security.devices.known_ask')}</p>
      <span className="flex gap-3">
        <Button size="small" busy={saying} onClick={() => void know()}>
          {t('security.devices.known_yes')}
        </Button>
        <Button size="small" busy={busy} onClick={() => void end(device.sessions)}>
          {t('security.devices.known_no')}
        </Button>
      </span>
    </fieldset>
  )
}
