import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { classes } from '../../../ui/classes.ts'

/** Media query from which the panel is shown; phones need no QR code. */
const WIDE = '(min-width: 1024px)'

/** Illustration beside the sign-in card on wide screens, replaced by the QR code once it loads. */
export function SignInAside() {
  const { i18n } = useAppContext()
  const [QrPanel, setQrPanel] = useState<ComponentType<{ waiting: ReactNode; off: ReactNode }>>()

  useEffect(() => {
    if (!matchMedia(WIDE).matches) return
    void Promise.all([import('./qr-panel.tsx'), i18n.load(['qr-sign-in'])]).then(([file]) =>
      setQrPanel(() => file.QrPanel),
    )
  }, [i18n])
  const waiting = <DoorIllustration late />
  return QrPanel ? <QrPanel waiting={waiting} off={<DoorIllustration />} /> : waiting
}

/** The door of the logo. `late`: appears when the QR code takes long, so that it does not flash before the code. */
function DoorIllustration({ late = false }: { late?: boolean }) {
  const { t } = useI18n()
  return (
    <div
      className={classes(
        'doorway flex flex-col items-center overflow-hidden px-10 pt-12 text-white',
        late && 'waiting',
      )}
    >
      <p className="max-w-70 text-center text-title text-balance">{t('sign-in.signin.tagline')}</p>
      <div aria-hidden="true" className="mt-10 flex w-full max-w-66 grow flex-col">
        <div className="relative min-h-72 grow overflow-hidden rounded-arch border-10 border-b-0 border-frame">
          <div className="doorway-light absolute inset-0" />
          <div className="absolute inset-0 origin-left [transform:perspective(70rem)_rotateY(-58deg)] rounded-arch bg-[linear-gradient(90deg,#00605f,#00807c)]">
            <span className="absolute top-1/2 right-[7%] size-4 rounded-full bg-accent" />
            <span className="absolute inset-x-[14%] top-[14%] bottom-[8%] rounded-arch border-3 border-frame/35" />
          </div>
        </div>
      </div>
    </div>
  )
}
