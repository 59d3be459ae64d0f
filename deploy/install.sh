#!/bin/sh
# Installs this release on a machine with systemd, or upgrades the one that is there. Run as root from the unpacked folder:
#   ./deploy/install.sh
# Programs:  /opt/vrata/<version>, with /opt/vrata/current pointing to the one that runs; the former version stays for the way back.
# Settings:  /etc/vrata/vrata.env, written once and never changed. Data: /var/lib/vrata. Command: vrata.
# With --root DIR everything is written below DIR, and neither users nor services are touched.
set -eu
# The user vrata reads the programs, whatever the umask of root is.
umask 022

root=
while [ $# -gt 0 ]; do
  case "$1" in
    --root) [ $# -ge 2 ] || { echo "install.sh: --root needs a folder" >&2; exit 2; }; root=$2; shift 2 ;;
    --help) sed -n '2,7s/^# //p' "$0"; exit 0 ;;
    *) echo "install.sh: $1 is not known; see --help" >&2; exit 2 ;;
  esac
done

here=$(cd "$(dirname "$0")/.." && pwd -P)
fail() { echo "install.sh: $1" >&2; exit 1; }

[ -f "$here/server/dist/cli.js" ] || fail "$here is no unpacked release"
[ -n "$root" ] || [ "$(id -u)" = 0 ] || fail "must be run as root"
command -v node >/dev/null || fail "Node.js is not installed; version 24.15 or later is needed"
versionCheck='const [a, b] = process.versions.node.split("."); process.exit(a > 24 || (a == 24 && b >= 15) ? 0 : 1)'
node -e "$versionCheck" ||
  fail "Node.js $(node --version) is too old; version 24.15 or later is needed"
(cd "$here" && sha256sum --quiet --check SHA256SUMS) || fail "the files are not those of the release"

version=$(sed -n 's/^version //p' "$here/RELEASE")
programs=$root/opt/vrata

# A folder of its own name appears when it is complete.
mkdir -p "$programs"
programs=$(cd "$programs" && pwd -P)
# It would delete itself, also when it was called through the link to it.
[ "$here" != "$programs/$version" ] || fail "this is the installed release itself"
rm -rf "$programs/.new"
cp -R "$here" "$programs/.new"
chmod -R u=rwX,go=rX "$programs/.new"
[ -n "$root" ] || chown -R root:root "$programs/.new"
rm -rf "${programs:?}/$version"
mv "$programs/.new" "$programs/$version"

mkdir -p "$root/etc/vrata" "$root/etc/systemd/system" "$root/usr/local/bin"
if [ ! -e "$root/etc/vrata/vrata.env" ]; then
  (umask 027 && cp "$here/deploy/systemd/vrata.env" "$root/etc/vrata/vrata.env")
fi
cp "$here/deploy/systemd/vrata.service" "$root/etc/systemd/system/vrata.service"
install -m 755 "$here/deploy/systemd/vrata-command" "$root/usr/local/bin/vrata"
ln -sfn "$version" "$programs/current"

if [ -n "$root" ]; then
  echo "Vrata $version is installed below $root."
  exit 0
fi
getent group vrata >/dev/null || groupadd --system vrata
getent passwd vrata >/dev/null || useradd --system --gid vrata --home-dir /var/lib/vrata --shell /usr/sbin/nologin vrata
# A service looks for programs where PATH of systemd says, and cannot read the home of root, in which nvm and the like put Node.js.
(PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin; setpriv --reuid vrata --regid vrata --init-groups node -e "$versionCheck") >/dev/null 2>&1 ||
  fail "The user vrata cannot run Node.js 24.15 or later. $(command -v node) must be where services find it, such as /usr/local/bin"
install -d -m 700 -o vrata -g vrata /var/lib/vrata
chown root:vrata /etc/vrata/vrata.env
chmod 640 /etc/vrata/vrata.env
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  if systemctl is-active --quiet vrata; then systemctl restart vrata; fi
fi
echo "Vrata $version is installed. Settings: /etc/vrata/vrata.env. Start: systemctl enable --now vrata"
