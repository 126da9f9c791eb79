/** A line in the log; on GitHub one that stands on the page of the run as well. */
export const notice = (text, level = 'notice') => {
  const github = process.env.GITHUB_ACTIONS === 'true';
  process.stderr.write(github ? `::${level} title=faultreel::${text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}\n` : `faultreel: ${text}\n`);
};
