/**
 * The section of a version in the changelog, without its heading; before the version is dated, the section "Unreleased". Throws when
 * there is neither.
 */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1)
  const titled = (title: string) => sections.find((section) => section.split(/\s/, 1)[0] === title)
  const section = titled(version) ?? titled('Unreleased')
  if (!section) throw new Error(`CHANGELOG.md has neither a section ${version} nor one that is unreleased`)
  return section.slice(section.indexOf('\n') + 1).trim()
}
