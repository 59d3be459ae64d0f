import { useQuery } from '@tanstack/react-query'
import type { Access, AccessMode } from '@vrata/contract/client-access'
import * as clientAccess from '@vrata/contract/client-access'
import type { ClientInfo } from '@vrata/contract/clients'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { callQuery } from '../../../lib/api/use-call.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { can, useUser } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { showDialog } from '../../../ui/dialog/show-dialog.ts'
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { AlertIcon } from '../../../ui/icons/icons.tsx'
import { PeopleIcon } from '../../../ui/icons/signed-in-icons.tsx'
import { Card, CardHead } from '../../../ui/layout/card.tsx'
import { Row, Rows } from '../../../ui/layout/row.tsx'

/** Who may use the app, for those who may change it. */
export function AccessCard({ app }: { app: ClientInfo }) {
  const mayChange = can(useUser(), clientAccess.setAccess)
  return mayChange ? <CurrentAccess app={app} /> : null
}

function CurrentAccess({ app: { client_id: id } }: { app: ClientInfo }) {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const query = callQuery(context, clientAccess.getAccess, { id })
  const { data: access } = useQuery(query)

  const change = ({ mode, groups, people }: Access) =>
    showDialog({
      title: t('clients.access.title'),
      message: t('clients.access.change_text'),
      fields: [
        {
          kind: 'select',
          name: 'mode',
          label: t('clients.access.title'),
          value: mode,
          options: clientAccess.ACCESS_MODES.map((value) => ({ value, label: t(`clients.access.${value}`) })),
        },
        {
          kind: 'text',
          name: 'groups',
          label: t('clients.access.keys'),
          hint: t('clients.access.keys_hint'),
          value: groups.join(', '),
        },
        {
          kind: 'multiline',
          name: 'people',
          label: t('clients.access.addresses'),
          hint: t('clients.access.addresses_hint'),
          value: people.join('\n'),
        },
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('clients.access.change') }],
      async onSubmit(values) {
        const next = values.mode as AccessMode
        const answer = await context.api(clientAccess.setAccess, {
          id,
          mode: next,
          groups: next === 'groups' ? wordsOf(values.groups) : [],
          people: next === 'people' ? wordsOf(values.people) : [],
        })
        if (answer.ok) {
          context.queries.setQueryData(query.queryKey, answer.data)
          toast(t('clients.access.changed'))
          return
        }
        if (answer.problem.fields?.groups === 'unknown') return { fields: { groups: t('clients.access.keys_unknown') } }
        const { fields, ...errors } = formErrors(answer)
        // An entry of a list is reported as `people.0`.
        return { ...errors, fields: byList(fields) }
      },
    })

  return (
    <Card aria-labelledby="access">
      <CardHead
        id="access"
        title={t('clients.access.title')}
        action={access && <Button onClick={() => void change(access)}>{t('clients.access.change')}</Button>}
      />
      {access?.mode === 'everyone' ? (
        <p className="mx-5 mb-5 flex gap-3 rounded-control bg-accent-soft px-4 py-3 text-on-accent sm:mx-6">
          <AlertIcon className="mt-0.5 shrink-0" />
          <span>
            <strong className="block">{t('clients.access.everyone')}</strong>
            {t('clients.access.everyone_text')}
          </span>
        </p>
      ) : access ? (
        <Rows>
          <Row
            key="access"
            icon={PeopleIcon}
            label={t(`clients.access.${access.mode}`)}
            text={<Explanation {...access} />}
          />
        </Rows>
      ) : (
        <SkeletonRows rows={1} label={t('clients.access.loading')} />
      )}
    </Card>
  )
}

function Explanation({ mode, groups, people }: Access) {
  const { t } = useI18n()
  if (mode === 'groups' && groups.length === 0) return t('clients.access.nobody_text')
  if (mode === 'groups') return t('clients.access.groups_text', { list: groups.join(', ') })
  if (mode === 'people') return t('clients.access.people_text', { list: people.join(', ') })
  return null
}

function wordsOf(text = ''): string[] {
  return text.split(/[\s,;]+/).filter(Boolean)
}

function byList(fields: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, message]) => [name.split('.')[0] ?? name, message]))
}
