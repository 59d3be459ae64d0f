import { useRouter } from '@tanstack/react-router'
import { developers } from '@vrata/contract'
import type { Developer } from '@vrata/contract/developers'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { switchDeveloper } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { ask } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardHead } from '../../ui/card.tsx'
import { toast } from '../../ui/toast.ts'

/** The end of an organisation: its name is typed, and on the way the call asks who it is (`lib/api.ts`). */
export function DeleteCard({ developer: { name } }: { developer: Developer }) {
  const { t } = useI18n()
  const wires = useWires()
  const router = useRouter()
  const { refusal } = useRefusal()

  async function remove() {
    const done = await ask({
      title: t('organization.delete.ask', { name }),
      message: t('organization.delete.ask_text'),
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
      async send({ name = '' }) {
        const answer = await wires.api(developers.deleteDeveloper, { name })
        if (!answer.ok) return refusal(answer)
      },
    })
    if (!done) return
    toast(t('organization.delete.done'))
    await router.navigate({ href: paths.developers, replace: true })
    await switchDeveloper(wires, null)
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
