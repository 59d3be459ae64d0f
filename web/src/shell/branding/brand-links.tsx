import { useI18n } from '../../lib/i18n.tsx'

/** Links of the installation to help and to its legal notice; nothing where it has neither. */
export function BrandLinks() {
  const { t, brand } = useI18n()
  const links = (['support', 'imprint'] as const).filter((name) => brand[`${name}_url`])
  return (
    links.length > 0 && (
      <footer className="flex justify-center gap-6 p-4 text-small text-muted">
        {links.map((name) => (
          <a key={name} href={brand[`${name}_url`]} className="underline">
            {t(`ui.${name}`)}
          </a>
        ))}
      </footer>
    )
  )
}
