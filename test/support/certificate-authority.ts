/** A certificate authority for tests of TLS. Needs `openssl`. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';

const options = (text: string): string[] => text.split(' ');

/** Creates the files `<name>.pem` and `<name>.key` for a CA and for certificates that it signs. */
export function createCertificates(folder: string, ca: string, ...names: string[]): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  openssl(...options(`req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${ca} -keyout ${ca}.key -out ${ca}.pem`));
  for (const name of names) {
    openssl(...options(`req -newkey rsa:2048 -nodes -subj /CN=${name} -keyout ${name}.key -out ${name}.csr`));
    writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${isIP(name) ? 'IP' : 'DNS'}:${name}\n`);
    const signed = `-CA ${ca}.pem -CAkey ${ca}.key -CAcreateserial -extfile ${name}.ext -out ${name}.pem`;
    openssl(...options(`x509 -req -days 2 -in ${name}.csr ${signed}`));
  }
}
