package org.relaxvm.backendvulkan.stream;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.context.Timeline;
import org.relaxvm.backendvulkan.driver.DeviceCalls;
import org.relaxvm.backendvulkan.driver.VulkanStatusException;

/**
 * What a stream has recorded last, by its steps: a program that does the same again is recorded
 * once. The recording that was not used for the longest time is recorded over.
 *
 * <p>Nobody has to say that memory was freed or a kernel closed: no step that is made afterwards
 * equals one with it, so that its recordings are never found again, and their turn comes to be
 * recorded over. They hold neither memory nor pipeline meanwhile; Vulkan lets both go before the
 * commands that name them.
 *
 * <p>A recording is submitted again while it still runs. Where every batch is the same, as in a
 * loop over one kernel, one recording does, and how many there are does not depend on how fast the
 * device is.
 *
 * <p>Used by one thread at a time.
 */
final class RecordingCache {
  /** The most recordings of a stream. */
  static final int MOST = 64;

  private final DeviceContext context;
  private final DeviceCalls calls;
  private final Timeline timeline;

  /** In the order in which they were submitted. */
  private final Map<Object, Recording> recordings = new LinkedHashMap<>(MOST, 0.75f, true);

  RecordingCache(DeviceContext context, DeviceCalls calls, Timeline timeline) {
    this.context = context;
    this.calls = calls;
    this.timeline = timeline;
  }

  /**
   * A recording of the steps of a batch, to be submitted at once. Where there is no memory for it,
   * those that are kept make room.
   */
  Recording of(Batch batch) {
    // Times are recorded at one address each, so that a recording with them is never used again.
    Object key = batch.times() == null ? batch.steps() : batch;
    Recording known = recordings.get(key);
    if (known != null) {
      return known;
    }
    Recording made;
    try {
      made = record(batch);
    } catch (VulkanStatusException e) {
      if (!DeviceContext.isOutOfMemory(e)) {
        throw e;
      }
      timeline.await(timeline.lastSubmitted(), "finish the work of a stream");
      destroy();
      made = record(batch);
    }
    recordings.put(key, made);
    return made;
  }

  private Recording record(Batch batch) {
    Recording unused = unused(batch.times() != null);
    try {
      unused.record(batch.steps(), batch.times());
      return unused;
    } catch (VulkanStatusException e) {
      unused.destroy();
      throw e;
    }
  }

  private Recording unused(boolean timed) {
    if (recordings.size() < MOST) {
      return new Recording(calls, context.facts().limits().uniformOffsetAlignment(), timed);
    }
    Iterator<Recording> all = recordings.values().iterator();
    Recording oldest = all.next();
    timeline.await(oldest.value(), "finish the work of a stream");
    all.remove();
    return oldest;
  }

  /** Destroys all; they are done. */
  void destroy() {
    recordings.values().forEach(Recording::destroy);
    recordings.clear();
  }
}
