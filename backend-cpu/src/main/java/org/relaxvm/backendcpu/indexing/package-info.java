/**
 * Kernels that find elements by the numbers in another tensor. {@link
 * org.relaxvm.backendcpu.indexing.IndexedSlices} is what they share.
 */
@NullMarked
package org.relaxvm.backendcpu.indexing;

import org.jspecify.annotations.NullMarked;
