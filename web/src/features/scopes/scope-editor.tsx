import type { ClientInfo } from '@vrata/contract/clients'
import { LIMITS } from '@vrata/contract/limits'
import { LOCALES } from '@vrata/contract/locales'
import type { DefinedScope } from '@vrata/contract/scopes'
import * as scopes from '@vrata/contract/scopes'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { SheetFoot } from '../../ui/dialog/sheet-foot.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { TextField } from '../../ui/form/field.tsx'
import { Form, Submit } from '../../ui/form/form.tsx'
import { MultilineField } from '../../ui/form/multiline-field.tsx'
import { Checkbox } from '../../ui/form/switch.tsx'
import { invalidateScopes } from './queries.ts'
import { useLanguageName } from './use-language-name.ts'
import { useRemoveScope } from './use-remove-scope.tsx'

const PROBLEM_FIELDS = { prefix_taken: 'key', wrong_prefix: 'key' } as const

type ScopeEditorProps = { app: ClientInfo; scope: DefinedScope | undefined; onDone: () => void }

/** Editor of one scope. The key is immutable, because programs depend on it. */
export function ScopeEditor({ app, scope, onDone }: ScopeEditorProps) {
  const { t } = useI18n()
  const nameOf = useLanguageName()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const remove = useRemoveScope(app, onDone)
  const prefix = app.scope_prefix

  async function save(values: Record<string, string>) {
    const texts = (part: 'title' | 'description') =>
      Object.fromEntries(LOCALES.map((locale) => [locale, values[`${part}.${locale}`] ?? '']))
    const answer = await context.api(scopes.defineScope, {
      id: app.client_id,
      key: values.key ?? '',
      title: texts('title'),
      description: texts('description'),
      sensitive: 'sensitive' in values,
      required: 'required' in values,
    })
    if (!answer.ok) {
      const { fields: { title, ...fields } = {}, ...rest } = formErrors(answer, PROBLEM_FIELDS)
      // One title is enough, so the error is shown on the first.
      return { ...rest, fields: { ...fields, ...(title && { [`title.${LOCALES[0]}`]: title }) } }
    }
    await invalidateScopes(context)
    toast(t('scopes.edit.saved'))
    onDone()
  }

  return (
    <Form className="mt-6" onSubmit={save}>
      <TextField
        name="key"
        label={t('scopes.edit.key')}
        hint={scope ? undefined : prefix ? t('scopes.edit.key_next', { prefix }) : t('scopes.edit.key_first')}
        defaultValue={scope?.key ?? (prefix ? `${prefix}.` : '')}
        readOnly={scope !== undefined}
        required
        maxLength={100}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      <p className="text-muted">{t('scopes.edit.texts')}</p>
      {LOCALES.map((locale, index) => (
        <fieldset key={locale} className="space-y-4 rounded-control border border-line px-4 pt-2 pb-4">
          <legend className="px-1.5 font-semibold">{nameOf(locale)}</legend>
          <TextField
            name={`title.${locale}`}
            label={t('scopes.edit.title')}
            hint={index === 0 && !scope ? t('scopes.edit.title_hint') : undefined}
            defaultValue={scope?.title[locale]}
            maxLength={LIMITS.scope_title_max}
            lang={locale}
            autoComplete="off"
          />
          <MultilineField
            name={`description.${locale}`}
            label={t('scopes.edit.description')}
            optional={t('menu.optional')}
            defaultValue={scope?.description[locale]}
            maxLength={LIMITS.scope_description_max}
            lang={locale}
            rows={2}
          />
        </fieldset>
      ))}
      <div>
        <Checkbox
          name="sensitive"
          label={t('scopes.edit.sensitive')}
          text={t('scopes.edit.sensitive_text')}
          defaultChecked={scope?.sensitive}
        />
        <Checkbox
          name="required"
          label={t('scopes.edit.required')}
          text={t('scopes.edit.required_text')}
          defaultChecked={scope?.required}
        />
      </div>
      {scope && (
        <Button look="ghost" className="sm:self-start" onClick={() => void remove(scope.key)}>
          {t('scopes.edit.delete')}
        </Button>
      )}
      <SheetFoot>
        <Button onClick={onDone}>{t('ui.cancel')}</Button>
        <Submit>{t('scopes.edit.save')}</Submit>
      </SheetFoot>
    </Form>
  )
}
