import { accentPairs, contrastOf } from '@vrata/contract/accent-colors'
import type { Branding } from '@vrata/contract/branding'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { colorOf, DELIVERED_ACCENT, DELIVERED_COLORS, PREVIEW, previewStyle, useStyleSheet } from './preview-style.ts'

type Props = {
  accent: string | null
  preview: Pick<Branding, 'logo' | 'logo_dark'>
  readOnly: boolean
  onChange: (accent: string) => void
}

/** The accent color, typed or chosen, and the readable color of each theme that is computed from it. */
export function AccentField({ accent, preview: { logo, logo_dark }, readOnly, onChange }: Props) {
  const { t } = useI18n()
  const { apiBase } = useAppContext()
  const color = colorOf(accent)
  useStyleSheet(previewStyle({ accent: color, logo, logo_dark }, apiBase))
  return (
    <div>
      <TextField
        name="accent"
        label={t('branding.accent')}
        hint={t('branding.accent.hint')}
        value={accent ?? ''}
        pattern="#[0-9a-fA-F]{6}"
        invalid={t('branding.accent.invalid')}
        placeholder={DELIVERED_ACCENT}
        autoComplete="off"
        spellCheck={false}
        readOnly={readOnly}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        end={
          <input
            type="color"
            aria-label={t('branding.accent.pick')}
            value={color ?? DELIVERED_ACCENT}
            disabled={readOnly}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
            className="size-11 cursor-pointer rounded-control bg-transparent p-2"
          />
        }
      />
      <ul aria-label={t('branding.accent.used')} className="mt-3 grid grid-cols-1 gap-3 sm:grid-cols-2">
        <Used theme="light" accent={color} />
        <Used theme="dark" accent={color} />
      </ul>
    </div>
  )
}

function Used({ theme, accent }: { theme: 'light' | 'dark'; accent: string | null }) {
  const { t, format } = useI18n()
  const at = theme === 'light' ? 0 : 1
  const { color, adjusted } = accent
    ? accentPairs(accent)[theme]
    : { color: DELIVERED_COLORS.brand[at], adjusted: false }
  const ratio = format.number(Math.floor(contrastOf(color, DELIVERED_COLORS.surface[at]) * 10) / 10)
  return (
    <li
      data-theme={theme}
      className={`${PREVIEW} flex flex-wrap items-center gap-3 rounded-control border border-line bg-surface px-3.5 py-2.5 text-ink`}
    >
      <span aria-hidden="true" className="rounded-row bg-brand px-3 py-2 text-small font-semibold text-on-brand">
        {t('branding.accent.sample')}
      </span>
      <span className="min-w-0 text-small">
        <span className="block font-semibold text-brand">{t(`branding.accent.${theme}`)}</span>
        <span className="block">{color}</span>
        <span className="block">{t('branding.accent.contrast', { ratio })}</span>
        {accent && (
          <span className="block text-muted">{t(adjusted ? 'branding.accent.adjusted' : 'branding.accent.kept')}</span>
        )}
      </span>
    </li>
  )
}
