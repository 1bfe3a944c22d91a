// The script of a page in a frame: tells the page around it how high it is.

function tell(): void {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  // Nothing is said that the page around it could not see: anybody may hear it.
  window.parent.postMessage({ type: 'athletics:height', height }, '*');
}

if (window.parent !== window) {
  new ResizeObserver(tell).observe(document.documentElement);
  tell();
}
