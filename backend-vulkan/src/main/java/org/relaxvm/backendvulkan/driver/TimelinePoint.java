package org.relaxvm.backendvulkan.driver;

/**
 * A value that a semaphore counts to.
 *
 * @param semaphore a timeline semaphore
 * @param value reached when the semaphore has it or a larger one
 */
public record TimelinePoint(long semaphore, long value) {}
