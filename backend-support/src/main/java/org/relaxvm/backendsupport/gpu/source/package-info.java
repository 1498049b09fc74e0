/**
 * Writes launches in languages of the C family. Start at {@link
 * org.relaxvm.backendsupport.gpu.source.KernelSource}.
 */
@NullMarked
package org.relaxvm.backendsupport.gpu.source;

import org.jspecify.annotations.NullMarked;
