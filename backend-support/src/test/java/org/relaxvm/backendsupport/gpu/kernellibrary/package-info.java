/** Tests of the kernel library. */
@NullMarked
package org.relaxvm.backendsupport.gpu.kernellibrary;

import org.jspecify.annotations.NullMarked;
