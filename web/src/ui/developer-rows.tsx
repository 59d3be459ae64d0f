import { Picture } from './picture.tsx'
import { Row, Rows } from './row.tsx'

export type DeveloperRow = { developer_id: string; name: string; logo: string | null; level: string; href: string }

/** Organisations of a person: arch, name, their level there; each row leads to it. */
export function DeveloperRows({ accounts }: { accounts: readonly DeveloperRow[] }) {
  return (
    <Rows>
      {accounts.map(({ developer_id, name, logo, level, href }) => (
        <Row
          key={developer_id}
          picture={<Picture kind="developer" url={logo} name={name} />}
          label={name}
          text={level}
          href={href}
        />
      ))}
    </Rows>
  )
}
