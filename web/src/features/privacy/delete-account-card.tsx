import { useRouter } from '@tanstack/react-router'
import { type DataOf, privacy } from '@vrata/contract'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useUser } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { ask } from '../../ui/ask.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card, CardBody, CardHead } from '../../ui/card.tsx'
import { DownloadIcon, TrashIcon } from '../../ui/inner-icons.tsx'
import { TextLink } from '../../ui/link.tsx'
import { WhatGoes } from './what-goes.tsx'

type Preview = DataOf<typeof privacy.previewDeletion>

/** The end of the account: what goes and what stays is read before anything is typed. */
export function DeleteAccountCard() {
  const { t } = useI18n()
  const { sentence } = useRefusal()
  const preview = useCall(privacy.previewDeletion)
  const askToDelete = useDeletion()
  const [message, setMessage] = useState<string>()

  async function begin() {
    setMessage(undefined)
    const answer = await preview.run({})
    if (!answer.ok) return setMessage(sentence(answer))
    await askToDelete(answer.data)
  }

  return (
    <Card aria-labelledby="delete-account">
      <CardHead id="delete-account" title={t('privacy.delete.title')} text={t('privacy.delete.text')} />
      <CardBody className="flex flex-wrap gap-3 pt-2">
        <ButtonLink href={paths.requestData}>
          <DownloadIcon />
          {t('privacy.delete.export')}
        </ButtonLink>
        <Button busy={preview.busy} onClick={() => void begin()}>
          <TrashIcon />
          {t('privacy.delete.begin')}
        </Button>
        <p role="alert" className="w-full font-medium text-danger empty:hidden">
          {message}
        </p>
      </CardBody>
    </Card>
  )
}

function useDeletion() {
  const { t } = useI18n()
  const wires = useWires()
  const router = useRouter()
  const user = useUser()
  const { refusal } = useRefusal()

  return async function askToDelete(preview: Preview) {
    if (preview.organisations_without_owner.length) return explainOwners(preview)
    const name = user.username ?? user.email
    let due_at: string | undefined
    await ask({
      title: t('privacy.delete.ask'),
      message: <WhatGoes preview={preview} />,
      danger: true,
      fields: [
        {
          kind: 'text',
          name: 'name',
          label: t('privacy.delete.type', { name }),
          exactly: name,
          required: true,
          invalid: t('privacy.delete.mismatch', { name }),
        },
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('privacy.delete.do') }],
      async send() {
        const answer = await wires.api(privacy.deleteAccount, {})
        if (!answer.ok) return refusal(answer)
        due_at = answer.data.due_at
      },
    })
    // Signing out forgets the person once this page has been left, and then says what happens next.
    if (due_at) await router.navigate({ href: paths.logout, state: { deletion_due_at: due_at }, replace: true })
  }

  async function explainOwners({ organisations_without_owner }: Preview) {
    await ask({
      title: t('privacy.owner.title'),
      message: (
        <>
          <p>{t('privacy.owner.text')}</p>
          <ul className="mt-3 list-disc pl-5">
            {organisations_without_owner.map(({ developer_id, name }) => (
              <li key={developer_id}>
                <TextLink href={paths.members(developer_id)}>{name}</TextLink>
              </li>
            ))}
          </ul>
        </>
      ),
      buttons: [{ label: t('ui.close') }],
    })
  }
}
