/** Makes the bars of a chart one stop of the Tab key. The arrow keys, Home and End move between them. */
for (const chart of document.querySelectorAll('.bar-links')) {
  const links = [...chart.querySelectorAll('a')];
  for (const link of links.slice(0, -1)) link.tabIndex = -1;
  chart.addEventListener('keydown', (event) => {
    const at = links.indexOf(document.activeElement);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: links.length - 1 }[event.key];
    if (to === undefined || !links[to]) return;
    event.preventDefault();
    links[at].tabIndex = -1;
    links[to].tabIndex = 0;
    links[to].focus();
  });
}
