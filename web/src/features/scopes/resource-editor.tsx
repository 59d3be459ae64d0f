import type { ClientInfo } from '@vrata/contract/clients'
import type { DefinedScope } from '@vrata/contract/scopes'
import * as scopes from '@vrata/contract/scopes'
import { constraintsOf } from '../../lib/api/constraints.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { SheetFoot } from '../../ui/dialog/sheet-foot.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { TextField } from '../../ui/form/field.tsx'
import { Form, Submit } from '../../ui/form/form.tsx'
import { Checkbox } from '../../ui/form/switch.tsx'

const PROBLEM_FIELDS = { resource_taken: 'identifier', too_many_resources: 'identifier' } as const

type ResourceEditorProps = { app: ClientInfo; defined: readonly DefinedScope[]; onDone: () => void }

/** Form for a new API identifier with some of the scopes of the app; all of them are preselected. */
export function ResourceEditor({ app, defined, onDone }: ResourceEditorProps) {
  const { t, locale } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()

  async function save(values: Record<string, string>, data: FormData) {
    const keys = data.getAll('scopes').map(String)
    if (keys.length === 0) return { message: t('scopes.api.choose') }
    const answer = await context.api(scopes.addResource, {
      id: app.client_id,
      identifier: values.identifier ?? '',
      name: values.name ?? '',
      scopes: keys,
    })
    if (!answer.ok) return formErrors(answer, PROBLEM_FIELDS)
    toast(t('scopes.api.saved'))
    onDone()
  }

  return (
    <Form className="mt-6" onSubmit={save}>
      <TextField
        name="name"
        label={t('scopes.api.name')}
        autoComplete="off"
        {...constraintsOf(scopes.addResource, 'name')}
      />
      <TextField
        name="identifier"
        label={t('scopes.api.identifier')}
        hint={t('scopes.api.identifier_hint')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        {...constraintsOf(scopes.addResource, 'identifier')}
      />
      <fieldset className="min-w-0">
        <legend className="font-semibold">{t('scopes.api.scopes')}</legend>
        {defined.map(({ key, title }) => (
          <Checkbox
            key={key}
            name="scopes"
            value={key}
            label={title[locale] ?? key}
            text={title[locale] && <code className="font-mono break-all">{key}</code>}
            defaultChecked
          />
        ))}
      </fieldset>
      <SheetFoot>
        <Button onClick={onDone}>{t('ui.cancel')}</Button>
        <Submit>{t('scopes.api.save')}</Submit>
      </SheetFoot>
    </Form>
  )
}
