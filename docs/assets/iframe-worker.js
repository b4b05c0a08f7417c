// Search runs in a worker, and browsers start none for a page that is opened from the disk. There a hidden frame does the
// worker's work: its script hears what is posted to the worker, and what it posts is heard as the worker's.
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.title = "search";
      document.documentElement.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = async (...urls) => {
        for (const one of urls) await loaded(inside, one);
      };
      this.ready = loaded(inside, new URL(url, document.baseURI).href);
    }

    async postMessage(data) {
      await this.ready;
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }

    terminate() {
      this.frame.remove();
    }
  };

  const loaded = (inside, url) =>
    new Promise((resolve, reject) => {
      const script = inside.document.createElement("script");
      script.addEventListener("load", resolve);
      script.addEventListener("error", () => reject(new Error(`cannot load ${url}`)));
      script.src = url;
      inside.document.body.append(script);
    });
}
