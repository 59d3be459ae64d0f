import { useRouter } from '@tanstack/react-router'
import { type DataOf, privacy } from '@vrata/contract'
import { paths } from '@vrata/contract/page-addresses'
import { useState } from 'react'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useBusyCall } from '../../lib/api/use-busy-call.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { dialogAfterWait } from '../../ui/dialog/dialog-after-wait.ts'
import { DownloadIcon, TrashIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/card.tsx'
import { TextLink } from '../../ui/navigation/link.tsx'
import { DeletionPreview } from './deletion-preview.tsx'

type Preview = DataOf<typeof privacy.previewDeletion>
type ShowDialog = ReturnType<typeof dialogAfterWait>

/** Deletion of the account. What is deleted is shown before confirmation. */
export function DeleteAccountCard() {
  const { t } = useI18n()
  const { errorMessage } = useFormErrors()
  const preview = useBusyCall(privacy.previewDeletion)
  const askToDelete = useDeletion()
  const [message, setMessage] = useState<string>()

  async function start() {
    setMessage(undefined)
    const showDialog = dialogAfterWait()
    const answer = await preview.run({})
    if (!answer.ok) return setMessage(errorMessage(answer))
    await askToDelete(answer.data, showDialog)
  }

  return (
    <Card aria-labelledby="delete-account">
      <CardHead id="delete-account" title={t('privacy.delete.title')} text={t('privacy.delete.text')} />
      <CardBody className="flex flex-wrap gap-3 pt-2">
        <ButtonLink href={paths.requestData}>
          <DownloadIcon />
          {t('privacy.delete.export')}
        </ButtonLink>
        <Button busy={preview.busy} onClick={() => void start()}>
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
  const context = useAppContext()
  const router = useRouter()
  const user = useUser()
  const { formErrors } = useFormErrors()

  return async function askToDelete(preview: Preview, showDialog: ShowDialog) {
    if (preview.organizations_without_owner.length) return explainOwners(preview, showDialog)
    const name = user.username ?? user.email
    let due_at: string | undefined
    await showDialog({
      title: t('privacy.delete.ask'),
      message: <DeletionPreview preview={preview} />,
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
      async onSubmit() {
        const answer = await context.api(privacy.deleteAccount, {})
        if (!answer.ok) return formErrors(answer)
        due_at = answer.data.due_at
      },
    })
    // The logout page signs out and explains what follows.
    if (due_at) await router.navigate({ href: paths.logout, state: { deletion_due_at: due_at }, replace: true })
  }

  async function explainOwners({ organizations_without_owner }: Preview, showDialog: ShowDialog) {
    await showDialog({
      title: t('privacy.owner.title'),
      message: (
        <>
          <p>{t('privacy.owner.text')}</p>
          <ul className="mt-3 list-disc pl-5">
            {organizations_without_owner.map(({ developer_id, name }) => (
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
