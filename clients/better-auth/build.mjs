/**
 * Builds the package without type checking, which would need better-auth: the tests check the types. Types are declared
 * from each file alone, so exported functions have explicit return types.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const FORMAT = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => '.', getNewLine: () => '\n' };
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const compilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  strict: true,
  verbatimModuleSyntax: true,
};

rmSync(at('dist'), { recursive: true, force: true });
mkdirSync(at('dist'));
for (const file of readdirSync(at('src'))) {
  const source = readFileSync(at(`src/${file}`), 'utf8');
  const output = { fileName: file, compilerOptions, reportDiagnostics: true };
  const code = ts.transpileModule(source, output);
  const types = ts.transpileDeclaration(source, output);
  const problems = [...code.diagnostics, ...types.diagnostics];
  if (problems.length > 0) throw new Error(ts.formatDiagnostics(problems, FORMAT));
  writeFileSync(at(`dist/${file.replace('.ts', '.js')}`), code.outputText);
  writeFileSync(at(`dist/${file.replace('.ts', '.d.ts')}`), types.outputText);
}
