import { developers } from '@vrata/contract'
import type { Developer } from '@vrata/contract/developers'
import { constraintsOf } from '../../../lib/api/constraints.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { useSavedFields } from '../../../lib/saved-fields/use-saved-fields.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { MultilineField } from '../../../ui/form/multiline-field.tsx'
import { Card, CardBody, CardHead } from '../../../ui/layout/card.tsx'
import { Row, Rows } from '../../../ui/layout/row.tsx'
import { TextLink } from '../../../ui/navigation/link.tsx'
import { setDeveloperData } from '../queries.ts'
import { LogoField } from './logo-field.tsx'

type FieldName = 'name' | 'website' | 'company' | 'description'

/** Each field is saved on blur or Enter and shows its own state and error. */
export function DeveloperForm({ developer }: { developer: Developer }) {
  const { t } = useI18n()
  const context = useAppContext()
  const { name, website, company, description } = developer
  const saved = useSavedFields<FieldName>({
    values: { name, website, company, description },
    save: async (name, value) => {
      const answer = await context.api(developers.updateDeveloper, { [name]: value })
      if (answer.ok) setDeveloperData(context, answer.data)
      return answer
    },
  })

  function field(name: FieldName) {
    const { type: _, ...constraints } = constraintsOf(developers.updateDeveloper, name)
    return {
      ...saved.field(name),
      label: t(`organization.${name}`),
      ...(name === 'name' ? {} : { optional: t('menu.optional') }),
      ...constraints,
    }
  }

  return (
    <Card aria-labelledby="organization">
      <CardHead id="organization" title={t('organization.title')} text={t('organization.text')} />
      <CardBody className="space-y-6 pt-2">
        <LogoField developer={developer} />
        <form {...saved.form} className="space-y-5">
          {/* Enter submits a form of several fields only if it has a submit button. */}
          <button type="submit" hidden />
          <TextField {...field('name')} required />
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField {...field('website')} type="url" placeholder="https://" />
            <TextField {...field('company')} hint={t('organization.company_hint')} />
          </div>
          <MultilineField {...field('description')} rows={3} />
        </form>
      </CardBody>
    </Card>
  )
}

/** The same details without permission to change them. */
export function DeveloperFacts({ developer }: { developer: Developer }) {
  const { t } = useI18n()
  const level = t(`menu.level.${developers.updateDeveloper.needs}`)
  const none = t('organization.none')
  const { name, website, company, description } = developer
  return (
    <Card aria-labelledby="organization">
      <CardHead id="organization" title={t('organization.title')} text={t('organization.level', { level })} />
      <Rows>
        <Row key="name" label={t('organization.name')} value={name} long />
        <Row
          key="website"
          label={t('organization.website')}
          value={website ? <TextLink href={website}>{website}</TextLink> : none}
          long
        />
        <Row key="company" label={t('organization.company')} value={company ?? none} long />
        <Row key="description" label={t('organization.description')} value={description ?? none} long />
      </Rows>
    </Card>
  )
}
