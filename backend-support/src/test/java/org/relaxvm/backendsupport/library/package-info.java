/** Tests of the kernel library. */
@NullMarked
package org.relaxvm.backendsupport.library;

import org.jspecify.annotations.NullMarked;
