package org.relaxvm.vmcore.dataflow;

/**
 * A part of a function that has independent calls.
 *
 * @param plan its tasks
 * @param choice whether they run in parallel
 */
public record Region(RegionPlan plan, ParallelChoice choice) {}
