import type { Level } from '@vrata/contract'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { addedPermissions } from '../../lib/organizations/level-permissions.ts'
import { SelectField } from '../../ui/form/select-field.tsx'

type Props = { levels: readonly Level[]; value: Level; onChange?: (level: Level) => void }

/** Choice of a level with the permissions that it adds. */
export function LevelField({ levels, value, onChange }: Props) {
  const { t } = useI18n()
  const [level, setLevel] = useState(value)
  return (
    <div>
      <SelectField
        name="permission"
        label={t('members.level')}
        value={level}
        onChange={({ target }) => {
          setLevel(target.value as Level)
          onChange?.(target.value as Level)
        }}
      >
        {levels.map((one) => (
          <option key={one} value={one}>
            {t(`menu.level.${one}`)}
          </option>
        ))}
      </SelectField>
      <div className="mt-3 text-muted">
        <p className="text-small font-semibold">{t('members.adds')}</p>
        <AddedPermissions level={level} />
      </div>
    </div>
  )
}

/** Permissions that a level adds. */
export function AddedPermissions({ level }: { level: Level }) {
  const { t } = useI18n()
  return (
    <ul className="mt-1 list-disc space-y-0.5 pl-5">
      {addedPermissions(level).map((power) => (
        <li key={power.words}>{t(power.words, power.level ? { level: t(`menu.level.${power.level}`) } : {})}</li>
      ))}
    </ul>
  )
}
