import { useRouter } from '@tanstack/react-router'
import { developers, users } from '@vrata/contract'
import type { Developer } from '@vrata/contract/developers'
import { paths } from '@vrata/contract/page-addresses'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { switchDeveloper } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { dialogAfterWait } from '../../../ui/dialog/dialog-after-wait.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { Card, CardHead } from '../../../ui/layout/card.tsx'

/** Deletes an organization after its name is typed. The call asks for reauthentication (`shell/reauthentication/reauthenticate.ts`). */
export function DeleteDeveloperCard({ developer: { name } }: { developer: Developer }) {
  const { t } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const { formErrors } = useFormErrors()

  async function remove() {
    const showDialog = dialogAfterWait()
    const people = await context.api(users.countUsers)
    const done = await showDialog({
      title: t('organization.delete.ask', { name }),
      message: [
        people.ok &&
          t(people.data.more ? 'organization.delete.more_people' : 'organization.delete.people', {
            count: people.data.count,
          }),
        t('organization.delete.ask_text'),
      ]
        .filter(Boolean)
        .join(' '),
      fields: [
        {
          kind: 'text',
          name: 'name',
          label: t('organization.delete.type', { name }),
          exactly: name,
          required: true,
          invalid: t('problems.name_mismatch'),
        },
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('organization.delete.do') }],
      danger: true,
      async onSubmit() {
        const answer = await context.api(developers.deleteDeveloper, { name })
        if (!answer.ok) return formErrors(answer)
      },
    })
    if (!done) return
    toast(t('organization.delete.done'))
    await router.navigate({ href: paths.developers, replace: true })
    await switchDeveloper(context, null)
  }

  return (
    <Card aria-labelledby="delete">
      <CardHead
        id="delete"
        title={t('organization.delete.title')}
        text={t('organization.delete.text')}
        action={
          <Button size="small" onClick={() => void remove()}>
            {t('organization.delete.begin')}
          </Button>
        }
      />
    </Card>
  )
}
