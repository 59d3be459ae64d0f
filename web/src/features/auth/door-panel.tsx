import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useWires } from '../../lib/wires.tsx'

/** From here on there is room for the door; a phone needs no code, it would have to scan itself. */
const WIDE = '(min-width: 1024px)'

/** Beside the sign-in card on wide screens: the door of the sign, and in it, once the page stands, a code for the phone. */
export function DoorPanel() {
  const { i18n } = useWires()
  const [QrDoor, setQrDoor] = useState<ComponentType<{ door: ReactNode }>>()

  useEffect(() => {
    if (!matchMedia(WIDE).matches) return
    void Promise.all([import('./qr-door.tsx'), i18n.load(['qr'])]).then(([file]) => setQrDoor(() => file.QrDoor))
  }, [i18n])
  return QrDoor ? <QrDoor door={<Door />} /> : <Door />
}

/** Ajar, with the lamp left on. */
function Door() {
  const { t } = useI18n()
  return (
    <div className="doorway flex flex-col items-center overflow-hidden px-10 pt-12 text-paper">
      <p className="max-w-70 text-center text-title text-balance">{t('auth.signin.door')}</p>
      <div aria-hidden="true" className="mt-10 flex w-full max-w-66 grow flex-col">
        <div className="relative min-h-72 grow overflow-hidden rounded-arch border-10 border-b-0 border-frame">
          <div className="lamplight absolute inset-0" />
          <div className="absolute inset-0 origin-left transform-[perspective(70rem)_rotateY(-58deg)] rounded-arch bg-[linear-gradient(90deg,#00605f,#00807c)]">
            <span className="absolute top-1/2 right-[7%] size-4 rounded-full bg-lamp" />
            <span className="absolute inset-x-[14%] top-[14%] bottom-[8%] rounded-arch border-3 border-frame/35" />
          </div>
        </div>
      </div>
    </div>
  )
}
