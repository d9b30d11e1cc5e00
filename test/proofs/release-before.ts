// Release before: the program that the present one must be able to replace while it serves, unpacked from the repository.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** The commit from which upgrades beside a running node hold. Later ones are measured against the newest number below their own. */
const baseline = '59c856dfbcc532fbc17d21902f090f06f3115c42'
const root = path.join(import.meta.dirname, '../..')

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
function found(work: () => string): string | null {
  try {
    return work() || null
  } catch {
    return null
  }
}

interface ReleaseBefore {
  name: string
  folder: string
  remove(): void
}

/** @returns a sentence where there is none: without the repository, or with too little of its history */
export function unpackReleaseBefore(): ReleaseBefore | string {
  const name = found(() => git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^')) ?? baseline
  if (found(() => git('rev-parse', '--verify', `${name}^{commit}`)) === null)
    return `the release before, ${name}, is not in this repository: fetch its whole history`
  // On the disk of the dependencies, so that they can be linked: what reads uploads may open nothing outside the program's own folder.
  fs.mkdirSync(path.join(root, '.cache'), { recursive: true })
  const folder = fs.mkdtempSync(path.join(root, '.cache', 'release-before-'))
  const remove = () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  const archive = path.join(folder, 'release.tar')
  execFileSync('git', ['archive', '--output', archive, name], { cwd: root })
  execFileSync('tar', ['-xf', archive, '-C', folder])
  fs.rmSync(archive)
  // Its dependencies are nearly those of the present one, and fetching them would need the internet.
  const dependencies = path.join(root, 'node_modules')
  const packages = fs.readdirSync(dependencies).filter((entry) => entry !== '.cache')
  fs.mkdirSync(path.join(folder, 'node_modules'))
  const links = packages.map((entry) => path.join(dependencies, entry))
  execFileSync('cp', ['-al', ...links, path.join(folder, 'node_modules')])
  return { name, folder, remove }
}
